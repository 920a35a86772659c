import CalendarBus
import DBus
import JSON
import Platform
import Widgets

/// What calctl import was asked for.
struct ImportCommandRequest {
  let paths: [String]
  let format: String
  /// The id of the calendar; "" is the default one.
  let calendar: String
  let mode: String
  /// Whether calendars that other programs have named are made.
  let makesOwn: Bool
  let bad: SkippedFiles

  typealias Outcome = CalendarClient<CommandError>.ImportOutcome

  /// What came of each file.
  typealias Outcomes = [(file: ImportFile, outcome: Outcome)]

  /// The files that are named on the command line, those of folders as ``ImportFolder`` has them.
  func files(_ context: CommandContext) throws(CommandError) -> [ImportFile] {
    var files: [ImportFile] = []
    for path in paths {
      if ImportFolder.isFolder(path) {
        files += try ImportFolder(path).files(areNamed: calendar.isEmpty, context)
      } else {
        files.append(ImportFile(path: path))
      }
    }
    return files
  }

  /// Has the agent read each file. Of several those that it cannot read go to ``bad``; tables of something else that
  /// lie in a folder are skipped.
  func outcomes(
    of files: [ImportFile], isDryRun: Bool, _ context: CommandContext
  ) throws(CommandError) -> Outcomes {
    var outcomes: Outcomes = []
    for (place, file) in files.enumerated() {
      if context.showsProgress, place % 100 == 99 {
        context.writeError("\rFile \(place + 1) of \(files.count)")
      }
      do throws(CommandError) {
        outcomes.append((file, try outcome(of: file, isDryRun: isDryRun, context)))
      } catch {
        guard let message = error.parseFault else { throw error }
        if files.count == 1 { throw Self.refusal(of: file, message, error) }
        if file.isFound, format.isEmpty, message.contains(Contract.columnsAreMissing) {
          context.output.warning("\(file.path): not a table of events; skipped")
          continue
        }
        bad.add(file.placed(Self.withoutEnd(message)))
      }
    }
    if context.showsProgress, files.count > 99 { context.writeError(Progress.clear) }
    return outcomes
  }

  /// Why the only file is not read.
  private static func refusal(
    of file: ImportFile, _ message: String, _ error: CommandError
  ) -> CommandError {
    guard case .refused(let name, _) = error else { return error }
    let isCutOff = message.contains(Contract.fileIsCutOff)
    return .refused(
      name: name,
      message: isCutOff ? file.placed(message) : "\(file.name) is no calendar: \(message)")
  }

  /// Others may be imported.
  private static func withoutEnd(_ message: String) -> String {
    let end = Contract.nothingImported
    return message.hasSuffix(end) ? String(message.dropLast(end.count)) : message
  }

  /// Has the agent read a file.
  private func outcome(
    of file: ImportFile, isDryRun: Bool, _ context: CommandContext
  ) throws(CommandError) -> Outcome {
    let octets = file.octets(context)
    // What a pipe gives may be long: the first that the agent says of it is shown.
    let isLong = context.showsProgress && (octets ?? .max) >= Progress.longOctets
    let size = octets.map { " (\($0 >> 20) MiB)" } ?? ""
    let line = "\rImporting \(displayLine(file.name))\(size)"
    var isShown = false
    func show(_ text: String) {
      context.writeError(line + text)
      isShown = true
    }
    if isLong, octets != nil { show(" ...") }
    defer { if isShown { context.writeError(Progress.clear) } }
    do throws(CommandError) {
      guard isLong else { return try read(file, isDryRun: isDryRun, context) }
      return try read(file, isDryRun: isDryRun, context) { percent, events in
        show(": \(percent) %, \(events == 1 ? "1 event" : "\(events) events")")
      }
    } catch .refused(let name, let message) where message.hasPrefix("fd") {
      // The descriptor is nobody's business: what is wrong is wrong with what was named.
      throw .refused(name: name, message: file.name + message.dropFirst(2))
    } catch {
      throw error.renamed([("mode", "--mode"), ("format", "--format")])
    }
  }

  private func read(
    _ file: ImportFile, isDryRun: Bool, _ context: CommandContext,
    onProgress: ((_ percent: Int64, _ events: Int64) -> Void)? = nil
  ) throws(CommandError) -> Outcome {
    try context.client().importFile(
      try file.descriptor(context),
      format: format.isEmpty ? ImportForm(nameOf: file.path)?.rawValue ?? "" : format,
      calendar: calendar, mode: mode, isDryRun: isDryRun,
      folder: file.folder.map { ($0.name, $0.color) }, makesOwnCalendars: makesOwn,
      onProgress: onProgress)
  }
}

extension CommandError {
  /// What the agent says of a text of which it could make no calendar; nil for another error.
  var parseFault: String? {
    guard case .refused(let name, let message) = self, name.hasSuffix(".ParseFailed") else {
      return nil
    }
    return message
  }
}

extension ImportCommandRequest.Outcomes {
  fileprivate func count(_ key: RowKey) -> Int64 { reduce(0) { $0 + $1.outcome.count(key) } }

  /// What was named on the command line, each once.
  fileprivate var arguments: [String] {
    var seen: Set<String> = []
    return map(\.file.argument).filter { seen.insert($0).inserted }
  }

  /// The problems with their files, that a calendar is made once: a dry run says it of each file.
  fileprivate var problems: [(file: ImportFile, problem: Row)] {
    var made: Set<String> = []
    return flatMap { one in one.outcome.problems.map { (one.file, $0) } }.filter { _, problem in
      let calendar = problem.text(.calendar)
      return calendar.isEmpty || made.insert("\(calendar) \(problem.text(.problem))").inserted
    }
  }

  /// " into Work and Personal"; "" where nothing went anywhere.
  ///
  /// - Parameter names: of the calendars by their ids.
  fileprivate func targets(_ names: [String: String]) -> String {
    var seen: Set<String> = []
    let ids = flatMap(\.outcome.byCalendar).map(\.id).filter { seen.insert($0).inserted }
    let targets = ids.map { displayLine(names[$0] ?? $0) }
    if targets.isEmpty { return "" }
    return " into " + (targets.count > 3 ? "\(targets.count) calendars" : targets.joinedAsWords)
  }
}

extension Row {
  /// What a problem of an import or export says: of what is lost, that it is; by which event; and why.
  var remark: String {
    let (uid, title) = (text(.uid), text(.summary))
    let name =
      title.isEmpty ? uid : "\"\(title)\"" + (uid.isEmpty ? "" : " (\(uid))")
    let parts = [flag(.refused) ? "left out" : "", name, ImportAdvice.text(of: self)]
    return parts.filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

extension Output {
  /// So many remarks of one kind are told.
  private static let toldOfOneKind = 10

  /// Tells what the agent remarks, in its order: of one kind the first ones, and at the end how many more
  /// there are.
  private func warnings(_ problems: [(file: ImportFile, problem: Row)]) {
    var counts: [[String]: Int] = [:]
    var more: [(kind: [String], example: String)] = []
    for (file, problem) in problems {
      let kind = [problem.text(.problem), "\(problem.flag(.refused))"]
      let count = counts[kind, default: 0]
      counts[kind] = count + 1
      if count < Output.toldOfOneKind {
        warning(Output.text(of: problem, in: file))
      } else if count == Output.toldOfOneKind {
        more.append((kind, Output.text(of: problem, in: file)))
      }
    }
    for (kind, example) in more {
      let rest = (counts[kind] ?? 0) - Output.toldOfOneKind
      warning(
        rest == 1
          ? example : "\(rest) more of this kind, which --json lists, such as \(example)")
    }
  }

  private static func text(of problem: Row, in file: ImportFile) -> String {
    let (line, column) = (problem.number(.line), problem.number(.column))
    // What concerns an event as a whole stands in no line.
    let position = line > 0 ? ":\(line)" + (column < 1 ? "" : ":\(column)") : ""
    return "\(file.name)\(position): \(problem.remark)"
  }

  /// Prints what came of imports, one line each, and what was wrong on standard error.
  func imported(
    _ outcomes: ImportCommandRequest.Outcomes,
    calendarNames: [String: String], skippedFiles: Int, isDryRun: Bool, isJSON: Bool
  ) throws(CommandError) {
    let keys: [(RowKey, String)] = [
      (.added, "added"), (.updated, "updated"), (.skipped, "unchanged"),
      (.failed, "left out"),
    ]
    if isJSON {
      var counts = JSONObject()
      var problems: [JSONValue] = []
      for (key, _) in keys { counts[key.rawValue] = .integer(outcomes.count(key)) }
      counts["skipped-files"] = .integer(Int64(skippedFiles))
      for (file, problem) in outcomes.problems {
        var object = problem.value.json.objectValue ?? JSONObject()
        if outcomes.count > 1 { object["file"] = .string(file.name) }
        problems.append(.object(object))
      }
      var calendars = JSONObject()
      for (id, count) in outcomes.flatMap(\.outcome.byCalendar) {
        calendars[id] = .integer((calendars[id]?.integerValue ?? 0) + count)
      }
      return try json([
        "counts": .object(counts), "calendars": .object(calendars), "problems": .array(problems),
      ])
    }
    // What is refused as a whole the error says, once.
    let isRefused = ImportCommandRequest.isRefused(outcomes)
    for argument in outcomes.arguments {
      let outcomes = outcomes.filter { $0.file.argument == argument }
      let parts = keys.compactMap { key, words in
        outcomes.count(key) > 0 ? "\(outcomes.count(key)) \(words)" : nil
      }
      let what = parts.isEmpty ? "no events" : parts.joined(separator: ", ")
      let head =
        "\(isDryRun ? "Would import" : "Imported") \(displayLine(argument))"
        + "\(outcomes.targets(calendarNames)): \(what)"
      if !isRefused { try line(head) }
      warnings(outcomes.problems)
    }
    let steps = outcomes.count { one in
      [RowKey.added, .updated].contains { one.outcome.count($0) > 0 }
    }
    if steps > 1, !isDryRun {
      try line("Undo takes these back one at a time (\(steps) steps).")
    }
    if skippedFiles > 0 {
      let files =
        skippedFiles == 1 ? "1 file is no calendar" : "\(skippedFiles) files are no calendars"
      try line("\(files), and \(isDryRun ? "would be " : "")left out.")
    }
  }
}

extension ImportCommandRequest {
  /// Whether all that there was is left out.
  static func isRefused(_ outcomes: Outcomes) -> Bool {
    outcomes.count(.failed) > 0
      && ![RowKey.added, .updated, .skipped].contains { outcomes.count($0) > 0 }
  }

  /// Tells by the exit code what was left out, files as well: a script must notice it.
  func checkWhole(
    _ outcomes: Outcomes, isDryRun: Bool
  ) throws(CommandError) {
    if outcomes.count(.failed) == 0, bad.skipped == 0 { return }
    guard ImportCommandRequest.isRefused(outcomes) else { throw .partial }
    let names = outcomes.arguments.joinedAsWords
    throw .system("nothing of \(names) \(isDryRun ? "would be" : "was") imported")
  }
}
