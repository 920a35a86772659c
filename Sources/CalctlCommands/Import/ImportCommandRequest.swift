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

  /// What is to be read, one source a call.
  func sources(_ context: CommandContext) throws(CommandError) -> [ImportInput] {
    try ImportInput.sources(
      paths, format: format, isPlaced: !calendar.isEmpty, context
    ) { path, bytes throws(CommandError) in
      bad.add(try fault(of: path, bytes, context))
    }
  }

  /// Why a text is no calendar, as the agent says of the file alone.
  private func fault(
    of path: String, _ bytes: [UInt8], _ context: CommandContext
  ) throws(CommandError) -> String {
    let lack = "\(path):1: \(ImportForm.lack(of: bytes, named: path))"
    // Standard input has been read.
    if path == "-" { return lack }
    do throws(CommandError) {
      _ = try read(ImportInput(file: path, format: format, context), isDryRun: true, context)
      return lack
    } catch .refused(let name, let message) where name.hasSuffix(".ParseFailed") {
      return ImportInput.placed(message, in: path)
    } catch {
      throw error
    }
  }

  /// Has the agent read each of several sources, without the files that it cannot read where
  /// those are to be left out.
  ///
  /// - Returns: what was read, and what came of it.
  func outcomes(
    of sources: [ImportInput], isDryRun: Bool, _ context: CommandContext
  ) throws(CommandError) -> [(source: ImportInput, outcome: Outcome)] {
    var outcomes: [(source: ImportInput, outcome: Outcome)] = []
    for source in sources {
      do throws(CommandError) {
        outcomes.append((source, try outcome(of: source, isDryRun: isDryRun, context)))
      } catch {
        guard error.isParseFault,
          source.paths.count > 1 || sources.count > 1 || bad.areErrors
        else { throw error }
        // Which of the files it was is looked for only where one is.
        guard let rest = try withoutBad(of: source, error, context), !bad.areErrors else {
          continue
        }
        outcomes.append((rest, try outcome(of: rest, isDryRun: isDryRun, context)))
      }
    }
    return outcomes
  }

  /// Has the agent read a source.
  func outcome(
    of source: ImportInput, isDryRun: Bool, _ context: CommandContext
  ) throws(CommandError) -> Outcome {
    // What a pipe gives may be long: the first that the agent says of it is shown.
    let isLong = context.showsProgress && (source.octets ?? .max) >= Progress.longOctets
    let size = source.octets.map { " (\($0 >> 20) MiB)" } ?? ""
    let line = "\rImporting \(displayLine(source.name))\(size)"
    var isShown = false
    func show(_ text: String) {
      context.writeError(line + text)
      isShown = true
    }
    if isLong, source.octets != nil { show(" ...") }
    defer { if isShown { context.writeError(Progress.clear) } }
    do throws(CommandError) {
      guard isLong else { return try read(source, isDryRun: isDryRun, context) }
      return try read(source, isDryRun: isDryRun, context) { percent, events in
        show(": \(percent) %, \(events == 1 ? "1 event" : "\(events) events")")
      }
    } catch .refused(let name, let message) where message.contains(Contract.fileIsCutOff) {
      throw .refused(name: name, message: ImportInput.placed(message, in: source.name))
    } catch .refused(let name, let message) where name.hasSuffix(".ParseFailed") {
      throw .refused(name: name, message: "\(source.name) is no calendar: \(message)")
    } catch .refused(let name, let message) where message.hasPrefix("fd") {
      // The descriptor is nobody's business: what is wrong is wrong with what was named.
      throw .refused(name: name, message: source.name + message.dropFirst(2))
    } catch {
      throw error.renamed([("mode", "--mode"), ("format", "--format")])
    }
  }

  private func read(
    _ source: ImportInput, isDryRun: Bool, _ context: CommandContext,
    onProgress: ((_ percent: Int64, _ events: Int64) -> Void)? = nil
  ) throws(CommandError) -> Outcome {
    try context.client().importFile(
      try source.descriptor(context), format: source.format, calendar: calendar, mode: mode,
      isDryRun: isDryRun, folder: source.folder.map { ($0.name, $0.color) },
      makesOwnCalendars: makesOwn, onProgress: onProgress)
  }

  /// Finds the files of a source that the agent cannot read, by asking for each alone.
  ///
  /// - Returns: the source without them; nil where nothing is left.
  func withoutBad(
    of source: ImportInput, _ error: CommandError, _ context: CommandContext
  ) throws(CommandError) -> ImportInput? {
    if source.paths == ["-"] {
      leaveOut(error)
      return nil
    }
    var paths: Set<String> = []
    for path in source.paths where path != "-" {
      do throws(CommandError) {
        _ = try outcome(
          of: ImportInput(file: path, format: source.format, context), isDryRun: true, context)
      } catch {
        guard error.isParseFault else { throw error }
        leaveOut(error)
        paths.insert(path)
      }
    }
    if paths.isEmpty { throw error }
    return try source.without(paths, context)
  }

  private func leaveOut(_ fault: CommandError) {
    guard case .refused(_, let message) = fault else { return }
    let end = Contract.nothingImported
    // Others may be.
    bad.add(message.hasSuffix(end) ? String(message.dropLast(end.count)) : message)
  }
}

extension CommandError {
  /// Whether the agent could make no calendar of a text.
  var isParseFault: Bool {
    if case .refused(let name, _) = self { return name.hasSuffix(".ParseFailed") }
    return false
  }
}

extension ImportCommandRequest.Outcome {
  /// " into Work and Personal"; "" where nothing went anywhere.
  ///
  /// - Parameter names: of the calendars by their ids.
  fileprivate func targets(_ names: [String: String]) -> String {
    let targets = byCalendar.map { displayLine(names[$0.id] ?? $0.id) }
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
  ///
  /// - Parameter text: what is told of a row.
  private func warnings(_ problems: [Row], _ text: (Row) -> String) {
    var counts: [[String]: Int] = [:]
    var more: [(kind: [String], example: Row)] = []
    for problem in problems {
      let kind = [problem.text(.problem), "\(problem.flag(.refused))"]
      let count = counts[kind, default: 0]
      counts[kind] = count + 1
      if count < Output.toldOfOneKind {
        warning(text(problem))
      } else if count == Output.toldOfOneKind {
        more.append((kind, problem))
      }
    }
    for (kind, example) in more {
      let rest = (counts[kind] ?? 0) - Output.toldOfOneKind
      warning(
        rest == 1
          ? text(example)
          : "\(rest) more of this kind, which --json lists, such as \(text(example))")
    }
  }

  /// Prints what came of imports, one line each, and what was wrong on standard error.
  func imported(
    _ outcomes: [(source: ImportInput, outcome: ImportCommandRequest.Outcome)],
    calendarNames: [String: String], skippedFiles: Int, isDryRun: Bool, isJSON: Bool
  ) throws(CommandError) {
    let keys: [(RowKey, String)] = [
      (.added, "added"), (.updated, "updated"), (.skipped, "unchanged"),
      (.failed, "left out"),
    ]
    if isJSON {
      var counts = JSONObject()
      var problems: [JSONValue] = []
      for (key, _) in keys {
        counts[key.rawValue] = .integer(outcomes.reduce(0) { $0 + $1.outcome.count(key) })
      }
      counts["skipped-files"] = .integer(Int64(skippedFiles))
      for (source, outcome) in outcomes {
        for problem in outcome.problems {
          var object = problem.value.json.objectValue ?? JSONObject()
          if source.paths.count > 1 || outcomes.count > 1 {
            let place = source.place(of: problem)
            object["file"] = .string(place.path)
            object["line"] = .integer(place.line)
            object["column"] = .integer(place.column)
            if let other = source.otherPlace(of: problem) {
              object["other-file"] = .string(other.path)
              object["other-line"] = .integer(other.line)
            }
          }
          problems.append(.object(object))
        }
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
    for (source, outcome) in outcomes {
      let parts = keys.compactMap { key, words in
        outcome.count(key) > 0 ? "\(outcome.count(key)) \(words)" : nil
      }
      let what = parts.isEmpty ? "no events" : parts.joined(separator: ", ")
      let head =
        "\(isDryRun ? "Would import" : "Imported") \(displayLine(source.name))"
        + "\(outcome.targets(calendarNames)): \(what)"
      if !isRefused { try line(head) }
      warnings(outcome.problems) { problem in
        let place = source.place(of: problem)
        // What concerns an event as a whole stands in no line.
        let column = place.column < 1 ? "" : ":\(place.column)"
        let position = place.line > 0 ? ":\(place.line)\(column)" : ""
        var text = "\(place.path)\(position): \(problem.remark)"
        if let other = source.otherPlace(of: problem), other.path != place.path {
          text += " (\(other.path):\(other.line))"
        }
        return text
      }
    }
    let steps = outcomes.count { one in
      [RowKey.added, .updated].contains { one.outcome.count($0) > 0 }
    }
    if steps > 1, !isDryRun { try line("Each of the \(steps) is a step to undo.") }
    if skippedFiles > 0 {
      let files =
        skippedFiles == 1 ? "1 file is no calendar" : "\(skippedFiles) files are no calendars"
      try line("\(files), and \(isDryRun ? "would be " : "")left out.")
    }
  }
}

extension ImportCommandRequest {
  /// Whether all that there was is left out.
  static func isRefused(_ outcomes: [(source: ImportInput, outcome: Outcome)]) -> Bool {
    outcomes.contains { $0.outcome.count(.failed) > 0 }
      && !outcomes.contains { one in
        [RowKey.added, .updated, .skipped].contains { one.outcome.count($0) > 0 }
      }
  }

  /// Tells by the exit code what was left out, files as well: a script must notice it.
  func checkWhole(
    _ outcomes: [(source: ImportInput, outcome: Outcome)], isDryRun: Bool
  ) throws(CommandError) {
    let isWhole = outcomes.allSatisfy { $0.outcome.count(.failed) == 0 }
    if isWhole, bad.skipped == 0 { return }
    guard ImportCommandRequest.isRefused(outcomes) else { throw .partial }
    let names = outcomes.map(\.source.name).joinedAsWords
    throw .system("nothing of \(names) \(isDryRun ? "would be" : "was") imported")
  }
}
