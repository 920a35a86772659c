import Glibc
import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl doctor` {
  /// What xdg-open is looked up in is the caller's PATH, which a test does not rely on.
  private func session(_ settings: String) throws -> Session {
    let session = try Session()
    try session.home.write(
      "[reminders]\nopen = /bin/true\n\(settings)\n", to: "config/datebook/datebook.conf")
    return session
  }

  @Test func `settings that anybody may write to are refused with the reason`() throws {
    let session = try session("default = 1h\nnotifications = no")
    let path = session.home.file("config/datebook/datebook.conf")
    chmod(path, 0o666)
    let doctor = try session.run("doctor")
    #expect(doctor.output.contains("\(path) cannot be used: others may write to it"), "\(doctor)")
  }

  @Test func `all is well, a line for each thing`() throws {
    let session = try session("notifications = no")
    let path = session.home.file("run") + "/datebook/snapshot.json"
    #expect(
      try session.output("doctor").split(separator: "\n") == [
        "ok  agent          datebookd 0.2.0 answers", "ok  calendar       ready",
        "ok  time zone      Europe/Berlin", "ok  reminders      0 waiting",
        "??  at login       systemd does not run this session. Unless the desktop starts the agent, for "
          + "example with \"exec datebookd\" in a compositor's settings, no reminders are shown after a "
          + "login until a program calls it.",
        "ok  quiet time     no",
        "ok  notifications  turned off in datebook.conf: reminders are sent as D-Bus signals only",
        "ok  snapshot       \(path)",
      ])
    _ = try session.output("quiet", "until", "2030-01-07", "9:00")
    #expect(
      try session.output("doctor").contains(
        "ok  quiet time     until Mon 7 Jan 2030, 09:00: no notifications are shown\n"))
    let answer = try session.json("doctor")
    #expect(answer["ok"] == true)
    #expect(answer["checks"]?[1] == ["check": "calendar", "ok": true, "text": "ready"])
    let login = answer["checks"]?.arrayValue?.first { $0["check"] == "at login" }
    #expect(login?["ok"] == true)
    #expect(login?["known"] == false)
  }

  @Test(
    .enabled(if: SessionLogind.isInstalled, "python3-dbusmock is not installed"),
    arguments: [
      ("enabled", "ok  at login       systemd starts the agent"),
      (
        "disabled",
        "??  at login       systemd does not start the agent (disabled). Unless something else does, no "
          + "reminders are shown after a login until a program calls it. To start it: systemctl --user "
          + "enable --now datebookd"
      ),
      (
        nil,
        "??  at login       systemd does not know datebookd.service (No such file or directory). Unless "
          + "something else starts the agent, no reminders are shown after a login until a program calls "
          + "it."
      ),
    ] as [(String?, String)])
  func `the check of the start at login is never a fault`(
    state: String?, line: String
  ) throws {
    let session = try session("notifications = no")
    let systemd = try SessionSystemd(of: session, state: state)
    let lines = try session.output("doctor").split(separator: "\n")
    #expect(lines.contains { $0 == line }, "\(lines)")
    withExtendedLifetime(systemd) {}
  }

  @Test func `without a notification server it says so, once`() throws {
    let outcome = try session("").run("doctor")
    #expect(outcome.code == ExitCode.failed.rawValue)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n").filter { $0.contains("notification") }
    #expect(lines.count == 1)
    #expect(
      lines.first?.hasPrefix("!!  notifications  no notification server answers (") ?? false,
      "\(outcome.output)")
  }

  @Test func `settings that are not understood and refused hooks are named`() throws {
    let session = try session("notifications = no\nsnoze = 5m")
    try session.home.makeDirectory("config/datebook/hooks")
    try session.home.makeDirectory("config/datebook/hooks/reminder-due.d")
    try session.home.write("#!/bin/sh\n", to: "config/datebook/hooks/reminder-due.d/ring")
    let outcome = try session.run("doctor")
    #expect(outcome.code == ExitCode.failed.rawValue)
    let problems = outcome.output.split(separator: "\n").filter { $0.hasPrefix("!!  problem") }
    #expect(problems.count == 2, "\(outcome.output)")
    #expect(problems.first?.contains("datebook.conf, line 4: ") ?? false, "\(problems)")
    #expect(problems.last?.contains("hooks/reminder-due.d/ring") ?? false, "\(problems)")
  }

  @Test func `a runtime folder that is refused is named with the reason, until it is fixed`()
    throws
  {
    let session = try session("notifications = no")
    let folder = try session.home.makeDirectory("run/datebook")
    chmod(folder, 0o777)
    let outcome = try session.run("doctor")
    #expect(outcome.code == ExitCode.failed.rawValue)
    #expect(
      outcome.output.contains(
        "!!  problem        the snapshot cannot be written: \(folder) cannot be used: others may "
          + "write to it (mode 777); run chmod go-w on it\n"), "\(outcome.output)")
    #expect(!outcome.output.contains("XDG_RUNTIME_DIR"), "\(outcome.output)")
    chmod(folder, 0o700)
    _ = try session.output("snapshot")
    #expect(try session.output("doctor").contains("ok  snapshot       \(folder)/snapshot.json\n"))
  }

  @Test(arguments: [nil, "relative"])
  func `without a runtime folder it says how to get one`(variable: String?) throws {
    let session = try Session(variables: ["XDG_RUNTIME_DIR": variable])
    let lines = try session.run("doctor").output.split(separator: "\n")
    #expect(
      lines.contains(
        "!!  problem        no snapshot file is written: XDG_RUNTIME_DIR is not set to an absolute "
          + "path; start from a login session, or set it to a directory of your own with mode 0700"
      ), "\(lines)")
  }

  @Test func `a snapshot that is gone is missed, and a database that cannot be used`() throws {
    let session = try session("notifications = no")
    try session.home.makeDirectory("data")
    try session.home.makeDirectory("data/datebook")
    try session.home.write("this is no database", to: "data/datebook/datebook.db")
    let outcome = try session.run("doctor")
    #expect(outcome.code == ExitCode.failed.rawValue)
    #expect(outcome.output.contains("!!  calendar       degraded: "), "\(outcome.output)")
    #expect(
      outcome.output.contains("!!  snapshot       the file \(session.home.file("run"))"),
      "\(outcome.output)")
  }
}
