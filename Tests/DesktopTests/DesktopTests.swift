internal import Glibc
internal import TestSupport
internal import Testing

/// The programs as they are shipped, on a desktop of real parts. Each test is a script of this
/// folder, which can be run by hand, too.
@Suite(.serialized, .longProof) struct `On a desktop` {
  @Test(.enabled(if: Script.waybar.canRun, "\(Script.waybar.reason)"))
  func `waybar shows an event that was added over the bus`() throws {
    try Script.waybar.run()
  }

  @Test(.enabled(if: Script.bars.canRun, "\(Script.bars.reason)"))
  func `bars of X11 and tmux show hostile titles as text, and clicks do what they say`() throws {
    try Script.bars.run()
  }

  @Test(.enabled(if: Script.sway.canRun, "\(Script.sway.reason)"))
  func `swaybar and waybar show an event by the examples as they are, and clicks do what they say`()
    throws
  {
    try Script.sway.run()
  }

  @Test(.enabled(if: Script.gnome.canRun, "\(Script.gnome.reason)"))
  func `GNOME Shell's drop-down has the events of the agent, and follows them`() throws {
    try Script.gnome.run()
  }

  @Test(.enabled(if: Script.dunst.canRun, "\(Script.dunst.reason)"))
  func `the actions of a notification in dunst snooze and dismiss its reminder`() throws {
    try Script.dunst.run()
  }

  @Test(
    .enabled(if: Script.pictures.canRun, "\(Script.pictures.reason)"),
    arguments: ["waybar", "bar", "notification", "month"])
  func `pictures show what they are of`(_ what: String) throws {
    let folder = try TemporaryDirectory()
    // Not the user who runs the tests takes them.
    _ = try Subprocess.run("chmod", ["777", folder.path])
    try Script.pictures.run(folder.path, what)
  }

  @Test(.enabled(if: Script.install.canRun, "\(Script.install.reason)"))
  func `after packaging install the bus starts the agent, and uninstall leaves nothing`() throws {
    try Script.install.run()
  }
}

/// A reminder's life, as told in servers.sh.
@Suite(.serialized, .longProof) struct `Notification servers` {
  @Test(.enabled(if: Script.servers.canRun, "\(Script.servers.reason)"))
  func `a reminder keeps its promises on each notification server`() throws {
    // All at once: for most of the time each waits for a reminder to fall due.
    let runs = try ["mako", "dunst", "xfce4-notifyd", "notification-daemon", "notify-osd"].map {
      try Script.servers.start($0)
    }
    for run in runs { try run.finish() }
  }

  @Test(.enabled(if: Script.gnomeServer.canRun, "\(Script.gnomeServer.reason)"))
  func `and on GNOME Shell`() throws {
    try Script.gnomeServer.run("gnome-shell")
  }

  @Test(.enabled(if: Script.plasma.canRun, "\(Script.plasma.reason)"))
  func `and on KDE Plasma`() throws {
    try Script.plasma.run("plasmashell")
  }
}

/// One of the scripts, with the programs that it uses.
struct Script {
  let name: String
  let programs: [String]
  /// Programs that are in no folder of the PATH, and folders that programs read.
  var hidden: [String] = []
  /// Modules of the system's Python.
  var modules: [String] = []
  /// Whether packaging/test --long installs what it needs.
  var isRequired = true

  static let waybar = Script(
    name: "waybar.sh",
    programs: ["dbus-daemon", "busctl", "sway", "waybar", "grim", "tesseract", "setpriv"])
  static let bars = Script(
    name: "bars.sh",
    programs: [
      "dbus-daemon", "Xvfb", "scrot", "tesseract", "python3", "rsvg-convert", "polybar", "i3",
      "i3bar", "i3blocks", "tint2", "conky", "xfce4-panel", "xdotool", "tmux",
    ])
  static let sway = Script(
    name: "sway.sh",
    programs: [
      "dbus-daemon", "sway", "swaybar", "waybar", "grim", "tesseract", "setpriv", "python3",
    ])
  static let dunst = Script(
    name: "dunst.sh",
    programs: ["dbus-daemon", "busctl", "gdbus", "Xvfb", "dunst", "dunstctl", "scrot", "tesseract"])
  /// What GNOME Shell needs, with logind played by dbusmock: most of a gigabyte of packages. Where they are
  /// missing the tests with it are left out, also by packaging/test.
  private static let shell = ["dbus-daemon", "gdbus", "gnome-shell", "gjs", "python3", "setpriv"]
  static let gnome = Script(
    name: "gnome.sh", programs: shell, modules: ["dbusmock"], isRequired: false)
  static let servers = Script(
    name: "servers.sh",
    programs: [
      "dbus-daemon", "busctl", "gdbus", "Xvfb", "sway", "setpriv", "mako", "makoctl", "dunst",
      "dunstctl", "grim", "scrot", "tesseract",
    ],
    hidden: [
      "xfce4/notifyd/xfce4-notifyd", "notification-daemon/notification-daemon", "notify-osd",
    ])
  static let gnomeServer = Script(
    name: "servers.sh", programs: shell + ["busctl"], modules: ["dbusmock"], isRequired: false)
  /// Debian has it in plasma-workspace and plasma-desktop: 270 MB of packages besides all others. Left out as
  /// GNOME Shell is.
  static let plasma = Script(
    name: "servers.sh",
    programs: [
      "dbus-daemon", "busctl", "gdbus", "Xvfb", "plasmashell", "xdotool", "xprop", "scrot",
      "tesseract",
    ],
    hidden: ["../share/plasma/shells/org.kde.plasma.desktop"], isRequired: false)
  static let pictures = Script(
    name: "pictures.sh",
    programs: [
      "dbus-daemon", "sway", "waybar", "grim", "Xvfb", "dunst", "scrot", "gdbus", "rsvg-convert",
      "tesseract", "setpriv", "python3",
    ])
  static let install = Script(
    name: "install.sh", programs: ["dbus-daemon", "busctl", "systemd-analyze"])

  /// Whether all it needs is there. With `DATEBOOK_REQUIRE_DESKTOP` set, as packaging/test --long does, what is
  /// missing is a failure and no reason to leave the test out.
  var canRun: Bool {
    runsLongProofs
      && (isRequired && variable("DATEBOOK_REQUIRE_DESKTOP") != nil || missing.isEmpty)
  }

  /// What to do about a test that is left out.
  var reason: String {
    guard runsLongProofs else { return "" }
    return "missing: \(missing.joined(separator: ", "))"
      + (isRequired ? "; packaging/test --long has it all" : "")
  }

  /// Runs it; what it printed becomes the issue when it fails.
  func run(_ arguments: String...) throws { try start(arguments).finish() }

  /// Starts it; ``Run/finish()`` waits for its end.
  func start(_ arguments: String...) throws -> Run { try start(arguments) }

  private func start(_ arguments: [String]) throws -> Run {
    let script = String(#filePath.dropLast("DesktopTests.swift".count)) + name
    return Run(
      title: "\(name) \(arguments)", program: try Subprocess("bash", [script] + arguments))
  }

  /// A script that was started.
  struct Run {
    let title: String
    let program: Subprocess

    /// Waits for its end; what it printed becomes the issue when it fails.
    func finish() throws {
      let outcome = try program.wait(timeoutSeconds: 300)
      if outcome.status != .exited(0) {
        Issue.record("\(title): \(outcome.status)\n\(outcome.output)\n\(outcome.errors)")
      }
    }
  }

  private var missing: [String] {
    let folders = (variable("PATH") ?? "").split(separator: ":")
    let absent = programs.filter { name in
      !folders.contains { access($0 + "/" + name, X_OK) == 0 }
    }
    // Debian has a folder for each architecture between.
    let libraries = ["/usr/lib/", "/usr/libexec/", "/usr/lib/\(Script.architecture)-linux-gnu/"]
    let nowhere = hidden.filter { name in
      !libraries.contains { access($0 + name, X_OK) == 0 }
    }
    let unknown = modules.filter { name in
      let found = try? Subprocess.run("/usr/bin/python3", ["-c", "import \(name)"])
      return found?.status != .exited(0)
    }
    return absent + unknown.map { "python3-\($0)" }
      + nowhere.map { String($0.split(separator: "/").last ?? "") }
      + (variable("DATEBOOK_BIN") == nil ? ["DATEBOOK_BIN in the environment"] : [])
  }

  private static let architecture: String = {
    var system = utsname()
    uname(&system)
    return withUnsafeBytes(of: &system.machine) { machine in
      String(decoding: machine.prefix { $0 != 0 }, as: UTF8.self)
    }
  }()

  private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
