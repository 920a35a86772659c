import CalendarBus
import Phrases
import Platform

/// Runs the user's programs for events: those in the folders "reminder-due.d" and so on.
///
/// Each is started directly, without a shell. Four run at once, for at most 30 seconds. More wait
/// in a queue, which has a limit: programs that hang must not make the agent grow.
///
/// They get the session's present environment: the agent may have been started at login, before
/// there was a screen.
final class HookRunner {
  private let folder: String
  private let environment: [String: String]
  private let manager: UserManager?
  private let home: String
  private let loop: EventLoop
  private let log: Log
  private var waiting: [Run] = []
  private var running: [Run] = []
  /// The refusals that are in the log already.
  private var logged: Set<PlatformError> = []
  /// The folders without a hook that are in the log already.
  private var loggedFolders: Set<String> = []
  private var dropped = 0
  private var isStopped = false
  /// The problem of each program that failed at its last run, by its path.
  private var failures: [String: String] = [:]

  static let mostAtOnce = 4
  static let mostWaiting = 1000
  /// The most lines of one run that are logged.
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
  ///   - folder: the folder with a folder of programs for each hook; "" means none.
  ///   - environment: the agent's own, which programs get without the activation tokens, and with
  ///     the hook's variables.
  ///   - manager: the source of variables that override those; nil if there is none.
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

  /// Reads the environment of programs before the first one is run.
  func prepare() {
    if !folder.isEmpty { manager?.askAhead() }
  }

  /// Runs the programs of a hook, now or when fewer are running.
  ///
  /// The folder is read each time, so that a new program works at once.
  ///
  /// - Parameter call: made only if there is a program for it.
  func run(_ hook: Hook, _ call: @autoclosure () -> HookCall) {
    let programs = isStopped ? [] : programs(of: hook)
    guard !programs.isEmpty else { return }
    let call = call()
    for program in programs {
      guard waiting.count < HookRunner.mostWaiting else {
        if dropped == 0 {
          log.warning(
            localized(
              HookRunner.mostWaiting,
              one: "{count} run of a hook is waiting; new ones are skipped",
              other: "{count} runs of hooks are waiting; new ones are skipped"))
        }
        dropped += 1
        continue
      }
      waiting.append(Run(program, call))
    }
    startSome()
  }

  /// Drops the waiting programs, starts those that await their environment, and leaves the rest.
  func stop() {
    isStopped = true
    waiting = []
    let begun = running
    running = []
    for run in begun {
      // The manager's answer with its environment would come too late.
      if run.process == nil { launch(run, environment) }
      run.process?.leave()
    }
  }

  /// The programs that are refused or failed at their last run, and unknown folders, one a line.
  var problems: [String] {
    guard !folder.isEmpty else { return [] }
    var problems: [String] = []
    var programs: Set<String> = []
    // A problem of the folder of all hooks is reported once.
    var refused: Set<PlatformError> = []
    for hook in Hook.allCases {
      let (paths, faults) = ProgramFolder(folder, "\(hook.rawValue).d").programs()
      problems += faults.filter { refused.insert($0).inserted }.map {
        localized("hook refused: {reason}", ["reason": $0.text])
      }
      programs.formUnion(paths)
    }
    // The failure of a removed program is left out.
    problems += failures.filter { programs.contains($0.key) }.sorted { $0.key < $1.key }
      .map { localized("hook failed at its last run: {reason}", ["reason": $0.value]) }
    return problems + unknownFolders.map(\.text)
  }

  private func programs(of hook: Hook) -> [String] {
    guard !folder.isEmpty else { return [] }
    tellUnknownFolders()
    let (paths, faults) = ProgramFolder(folder, "\(hook.rawValue).d").programs()
    for fault in faults where logged.insert(fault).inserted {
      log.warning(localized("hook refused: {reason}", ["reason": fault.text]))
    }
    return paths
  }

  /// Logs each folder without a hook, once: programs in it would never run.
  func tellUnknownFolders() {
    for (name, text) in unknownFolders where loggedFolders.insert(name).inserted {
      log.warning(text)
    }
  }

  private var unknownFolders: [(name: String, text: String)] {
    guard !folder.isEmpty else { return [] }
    let known = Hook.allCases.map { "\($0.rawValue).d" }
    return ProgramFolder.names(in: folder).filter { !known.contains($0) }.map { name in
      guard let near = nearest(name, among: known) else {
        return (
          name,
          localized(
            "{folder} is not a folder of a hook; the folders are {folders}",
            ["folder": "\(folder)/\(name)", "folders": localizedList(known)])
        )
      }
      return (
        name,
        localized(
          "{folder} is not a folder of a hook; did you mean \"{near}\"?",
          ["folder": "\(folder)/\(name)", "near": near])
      )
    }
  }

  // MARK: Runs

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
      log.warning(
        localized(
          dropped, one: "{count} run of a hook was skipped",
          other: "{count} runs of hooks were skipped"))
      dropped = 0
    }
  }

  /// Whether a run must wait until an earlier one for the same event ends.
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
      // If ``stop()`` ran meanwhile, it started the run.
      guard let self, running.contains(where: { $0 === run }) else { return }
      var variables = variables
      variables["PATH"] = HookRunner.path(managerPath, environment["PATH"])
      launch(run, variables)
      leaveUnlessLaunched(run)
      if run.process == nil { startSome() }
    }
  }

  /// The folders of both PATHs, since a program may need one that only one of them has.
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
        onLine: { [unowned self] in logOutput($0, of: run) },
        onEnd: { [unowned self] in ended(run, $0) })
    } catch {
      let problem =
        error.code == .noProgram
        ? localized(
          "{reason}; its first line must name its interpreter, such as #!/bin/sh",
          ["reason": error.text])
        : localized(error.text)
      failures[run.program] = problem
      log.warning(localized("hook could not be run: {reason}", ["reason": problem]))
    }
  }

  private func ended(_ run: Run, _ end: ChildProcess.End) {
    let isOverdue = run.process?.isOverdue ?? false
    running.removeAll { $0 === run }
    run.process = nil
    let fault: String? =
      if isOverdue {
        localized(
          "{program} was stopped after {seconds} s",
          ["program": run.program, "seconds": milliseconds / 1000])
      } else {
        switch end {
        case .exited(0): nil
        case .exited(let code):
          localized(
            "{program} exited with code {code}", ["program": run.program, "code": Int(code)])
        case .signalled(let signal):
          localized(
            "{program} was killed by signal {signal}",
            ["program": run.program, "signal": Int(signal)])
        }
      }
    failures[run.program] = fault
    if let fault { log.warning(fault) }
    startSome()
  }

  private func logOutput(_ line: String, of run: Run) {
    run.lines += 1
    if run.lines <= HookRunner.mostLines {
      log.info("\(run.program): \(line)")
    } else if run.lines == HookRunner.mostLines + 1 {
      log.info(
        localized("{program} prints more lines, which are not logged", ["program": run.program]))
    }
  }
}
