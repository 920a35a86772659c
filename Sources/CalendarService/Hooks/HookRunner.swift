import CalendarBus
import Phrases
import Platform

/// Runs the user's programs for what happens: those in "reminder-due.d" and so on below
/// one folder, each on its own, without a shell.
///
/// Four at once, for 30 seconds at most. What more there is waits its turn, and a flood is
/// cut: programs that hang must not let the agent grow.
///
/// They begin with what the session begins programs with now: the agent may have been started before there was a
/// screen, at the login.
final class HookRunner {
  private let folder: String
  private let environment: [String: String]
  private let manager: UserManager?
  private let home: String
  private let loop: EventLoop
  private let log: Log
  private var waiting: [Run] = []
  private var running: [Run] = []
  /// What was refused, each told once.
  private var told: Set<PlatformError> = []
  /// The folders that are no hook's, likewise.
  private var toldFolders: Set<String> = []
  private var dropped = 0
  private var isStopped = false
  /// What was wrong with each program when it was run last, by its path; those that ended well are
  /// not there.
  private var failures: [String: String] = [:]

  static let mostAtOnce = 4
  static let mostWaiting = 1000
  /// More lines of one run are not logged.
  static let mostLines = 100
  /// How long one may run.
  let milliseconds: Int

  private final class Run {
    let program: String
    let call: HookCall
    var process: ChildProcess?
    var lines = 0

    init(_ program: String, _ call: HookCall) {
      self.program = program
      self.call = call
    }
  }

  /// - Parameters:
  ///   - folder: with the folders of programs in it; "" is none.
  ///   - environment: what the programs have besides what they are told: that of the agent's start, of which
  ///     they do not get the tokens.
  ///   - manager: whose variables come before those; nil: there is none.
  ///   - milliseconds: how long one may run.
  init(
    folder: String, environment: [String: String], manager: UserManager? = nil, loop: EventLoop,
    log: Log, milliseconds: Int = 30_000
  ) {
    self.folder = folder
    self.environment = UserManager.withoutTokens(environment)
    self.manager = manager
    home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/"
    self.loop = loop
    self.log = log
    self.milliseconds = milliseconds
  }

  /// How many programs run or wait.
  var count: Int { running.count + waiting.count }

  /// Learns what programs begin with before the first is to be run.
  func prepare() {
    if !folder.isEmpty { manager?.askAhead() }
  }

  /// Runs the programs of a hook, now or when it is their turn. The folder is read each time:
  /// whoever puts a program there need not tell the agent.
  ///
  /// - Parameter call: made only if there is a program for it.
  func run(_ hook: Hook, _ call: @autoclosure () -> HookCall) {
    let programs = isStopped ? [] : programs(of: hook)
    guard !programs.isEmpty else { return }
    let call = call()
    for program in programs {
      guard waiting.count < HookRunner.mostWaiting else {
        if dropped == 0 {
          log.warning("\(HookRunner.mostWaiting) runs of hooks wait: what comes now is dropped")
        }
        dropped += 1
        continue
      }
      waiting.append(Run(program, call))
    }
    startSome()
  }

  /// Starts what has its turn and nothing more, and leaves what runs to itself: it has been told, and ends by
  /// itself.
  func stop() {
    isStopped = true
    waiting = []
    let begun = running
    running = []
    for run in begun {
      // Its turn has come, and nobody waits for the manager any more.
      if run.process == nil { launch(run, environment) }
      run.process?.leave()
    }
  }

  /// What lies in the folders of hooks and is not run, or failed when it was run last, a line each.
  var problems: [String] {
    guard !folder.isEmpty else { return [] }
    var problems: [String] = []
    var programs: Set<String> = []
    // A folder above several hooks is refused once.
    var refused: Set<PlatformError> = []
    for hook in Hook.allCases {
      let (paths, faults) = ProgramFolder(folder, "\(hook.rawValue).d").programs()
      problems += faults.filter { refused.insert($0).inserted }.map { "a hook is refused: \($0)" }
      programs.formUnion(paths)
    }
    // One that was taken away is none any more.
    problems += failures.filter { programs.contains($0.key) }.sorted { $0.key < $1.key }
      .map { "a hook failed when it was run last: \($0.value)" }
    return problems + unknownFolders.map(\.text)
  }

  private func programs(of hook: Hook) -> [String] {
    guard !folder.isEmpty else { return [] }
    tellUnknownFolders()
    let (paths, faults) = ProgramFolder(folder, "\(hook.rawValue).d").programs()
    for fault in faults where told.insert(fault).inserted {
      log.warning("a hook is refused: \(fault)")
    }
    return paths
  }

  /// Says of each folder that no hook has: programs in it would wait for ever.
  func tellUnknownFolders() {
    for (name, text) in unknownFolders where toldFolders.insert(name).inserted {
      log.warning(text)
    }
  }

  private var unknownFolders: [(name: String, text: String)] {
    guard !folder.isEmpty else { return [] }
    let known = Hook.allCases.map { "\($0.rawValue).d" }
    return ProgramFolder.names(in: folder).filter { !known.contains($0) }.map { name in
      let near = nearest(name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
      return (
        name,
        "\(folder)/\(name) is the folder of no hook, there are \(known.joined(separator: ", "))"
          + near
      )
    }
  }

  // MARK: Turns

  private func startSome() {
    var place = 0
    while running.count < HookRunner.mostAtOnce, place < waiting.count {
      if isHeldUp(place) {
        place += 1
      } else {
        start(waiting.remove(at: place))
      }
    }
    if waiting.isEmpty, dropped > 0 {
      log.warning("\(dropped) runs of hooks were dropped")
      dropped = 0
    }
  }

  /// Whether something earlier has to end first.
  private func isHeldUp(_ place: Int) -> Bool {
    let call = waiting[place].call
    guard !call.order.isEmpty else { return false }
    func isEarlier(_ other: Run) -> Bool {
      other.call.order == call.order && other.call.hook != call.hook
    }
    return running.contains(where: isEarlier) || waiting[..<place].contains(where: isEarlier)
  }

  private func start(_ run: Run) {
    running.append(run)
    guard let manager else {
      launch(run, environment)
      return leaveUnlessLaunched(run)
    }
    manager.environment(over: environment, isHurried: true) { [weak self] variables, managerPath in
      // Where it has been stopped meanwhile, that one has it.
      guard let self, running.contains(where: { $0 === run }) else { return }
      var variables = variables
      variables["PATH"] = HookRunner.path(managerPath, environment["PATH"])
      launch(run, variables)
      leaveUnlessLaunched(run)
      if run.process == nil { startSome() }
    }
  }

  /// The folders of either PATH, since a program of the user's own may call what one of them has alone.
  private static func path(_ first: String?, _ second: String?) -> String? {
    guard let first, let second, first != second else { return first ?? second }
    let folders = first.split(separator: ":")
    let others = second.split(separator: ":").filter { !folders.contains($0) }
    return (folders + others).joined(separator: ":")
  }

  private func leaveUnlessLaunched(_ run: Run) {
    if run.process == nil { running.removeAll { $0 === run } }
  }

  private func launch(_ run: Run, _ environment: [String: String]) {
    let variables = environment.merging(run.call.variables) { $1 }
    do throws(SystemError) {
      run.process = try ChildProcess(
        run.program, environment: variables, directory: home, input: run.call.input,
        milliseconds: milliseconds, on: loop,
        onLine: { [unowned self] in tell($0, of: run) },
        onEnd: { [unowned self] in ended(run, $0) })
    } catch {
      let advice =
        error.code == .noProgram
        ? "; its first line has to name its program, such as #!/bin/sh" : ""
      failures[run.program] = "\(error)\(advice)"
      log.warning("a hook cannot be run: \(error)\(advice)")
    }
  }

  private func ended(_ run: Run, _ end: ChildProcess.End) {
    let isOverdue = run.process?.isOverdue ?? false
    running.removeAll { $0 === run }
    run.process = nil
    let fault: String? =
      if isOverdue {
        "\(run.program) was ended: it ran for \(milliseconds / 1000) s"
      } else {
        switch end {
        case .exited(0): nil
        case .exited(let code): "\(run.program) ended with the exit code \(code)"
        case .signalled(let signal): "\(run.program) was ended by signal \(signal)"
        }
      }
    failures[run.program] = fault
    if let fault { log.warning(fault) }
    startSome()
  }

  private func tell(_ line: String, of run: Run) {
    run.lines += 1
    if run.lines <= HookRunner.mostLines {
      log.info("\(run.program): \(line)")
    } else if run.lines == HookRunner.mostLines + 1 {
      log.info("\(run.program) says more, which is not logged")
    }
  }
}
