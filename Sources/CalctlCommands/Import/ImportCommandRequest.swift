import CalendarBus
import DBus
import JSON
import Platform
import Widgets

/// The request of `calctl import`.
struct ImportCommandRequest {
  let paths: [String]
  let format: String
  /// The ID of the calendar; "" means the default calendar.
  let calendar: String
  let mode: String
  /// Whether to create calendars that other programs have named.
  let makesOwn: Bool
  let bad: SkippedFiles

  typealias Outcome = CalendarClient<CommandError>.ImportOutcome

  /// Returns the sources to import, one for each call.
  func sources(_ context: CommandContext) throws(CommandError) -> [ImportInput] {
    try ImportInput.sources(
      paths, format: format, isPlaced: !calendar.isEmpty, context
    ) { path, bytes throws(CommandError) in
      bad.add(try fault(of: path, bytes, context))
    }
  }

  /// Returns why a text is not a calendar: the agent's error for this file alone.
  private func fault(
    of path: String, _ bytes: [UInt8], _ context: CommandContext
  ) throws(CommandError) -> String {
    let lack = "\(path):1: \(ImportForm.lack(of: bytes, named: path))"
    // Standard input has been read already.
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

  /// Imports several sources; leaves out files that the agent cannot read if those are skipped.
  ///
  /// - Returns: The sources that were imported, and their outcomes.
  func outcomes(
    of sources: [ImportInput], isDryRun: Bool, _ context: CommandContext
  ) throws(CommandError) -> [(source: ImportInput, outcome: Outcome)] {
    var outcomes: [(source: ImportInput, outcome: Outcome)] = []
    for source in sources {
      let isAlone = source.paths.count <= 1 && sources.count <= 1 && !bad.areErrors
      do throws(CommandError) {
        outcomes.append((source, try outcome(of: source, isDryRun: isDryRun, context)))
      } catch {
        guard error.isParseFault, !isAlone else { throw error.ofAll }
        // The files are tried one by one only after such an error.
        guard let rest = try withoutBad(of: source, error, context), !bad.areErrors else {
          continue
        }
        outcomes.append((rest, try outcome(of: rest, isDryRun: isDryRun, context)))
      }
    }
    return outcomes
  }

  /// Imports a source.
  func outcome(
    of source: ImportInput, isDryRun: Bool, _ context: CommandContext
  ) throws(CommandError) -> Outcome {
    // The size of a pipe is unknown, so its progress is shown from the agent's first report on.
    let isLong = context.showsProgress && (source.octets ?? .max) >= Progress.longOctets
    let file = displayLine(source.name)
    let line =
      source.octets.map {
        localized("Importing {file} ({size} MiB)", ["file": file, "size": $0 >> 20])
      } ?? localized("Importing {file}", ["file": file])
    var isShown = false
    func show(_ text: String) {
      context.writeError("\r" + line + text)
      isShown = true
    }
    if isLong, source.octets != nil { show(" ...") }
    defer { if isShown { context.writeError(Progress.clear) } }
    do throws(CommandError) {
      guard isLong else { return try read(source, isDryRun: isDryRun, context) }
      return try read(source, isDryRun: isDryRun, context) { percent, events in
        show(
          ": "
            + localized(
              Int(events), one: "{percent} %, {count} event",
              other: "{percent} %, {count} events", ["percent": Int(percent)]))
      }
    } catch .refused(let name, let message) where message.contains(Contract.fileIsCutOff) {
      throw .refused(name: name, message: ImportInput.placed(message, in: source.name))
    } catch .refused(let name, let message) where name.hasSuffix(".ParseFailed") {
      throw .refused(
        name: name,
        message: localized(
          "{file} is not a calendar: {error}",
          ["file": source.name, "error": ImportInput.translated(message)]))
    } catch .refused(let name, let message) where message.hasPrefix("fd") {
      // The user knows the file, not the descriptor.
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

  /// Finds the files of a source that the agent cannot read, by trying each alone.
  ///
  /// - Returns: The source without them; nil if nothing is left.
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
    if paths.isEmpty { throw error.ofAll }
    return try source.without(paths, context)
  }

  private func leaveOut(_ fault: CommandError) {
    guard case .refused(_, let message) = fault else { return }
    bad.add(message)
  }
}

extension CommandError {
  /// Whether the agent could not read a text as a calendar.
  var isParseFault: Bool {
    if case .refused(let name, _) = self { return name.hasSuffix(".ParseFailed") }
    return false
  }

  /// The error of a file that is cut off, after which no other is imported; any other as it is.
  fileprivate var ofAll: CommandError {
    guard isParseFault, case .refused(let name, let message) = self,
      message.contains(Contract.fileIsCutOff)
    else { return self }
    return .refused(
      name: name, message: localized("{problem}; nothing was imported", ["problem": message]))
  }
}

extension ImportCommandRequest.Outcome {
  /// Returns the calendars, "Work and Personal"; nil if none has received anything.
  ///
  /// - Parameter names: The names of the calendars by their IDs.
  fileprivate func targets(_ names: [String: String]) -> String? {
    let targets = byCalendar.map { displayLine(names[$0.id] ?? $0.id) }
    if targets.isEmpty { return nil }
    return targets.count > 3
      ? localized(targets.count, one: "{count} calendar", other: "{count} calendars")
      : targets.joinedAsWords
  }

  /// Returns a line about one file: "Imported holidays.ics into Work: 3 added".
  ///
  /// - Parameter names: The names of the calendars by their IDs.
  fileprivate func line(
    _ file: String, _ counts: String, _ names: [String: String], isDryRun: Bool
  ) -> String {
    guard let targets = targets(names) else {
      return isDryRun
        ? localized("Would import {file}: {counts}", ["file": file, "counts": counts])
        : localized("Imported {file}: {counts}", ["file": file, "counts": counts])
    }
    return isDryRun
      ? localized(
        "Would import {file} into {calendars}: {counts}",
        ["file": file, "calendars": targets, "counts": counts])
      : localized(
        "Imported {file} into {calendars}: {counts}",
        ["file": file, "calendars": targets, "counts": counts])
  }
}

extension Row {
  /// The text of a problem: whether the event is left out, which event it is, and why.
  var remark: String {
    let (uid, title) = (text(.uid), text(.summary))
    let name = title.isEmpty ? uid : localized("\"{name}\"", ["name": title]).with(remark: uid)
    let text =
      name.isEmpty ? ImportAdvice.text(of: self) : name.with(text: ImportAdvice.text(of: self))
    return flag(.refused) ? localized("left out").with(text: text) : text
  }
}

extension Output {
  /// The most warnings of one kind that are printed one by one: of events that are left out, and of
  /// others.
  private static let (mostRefused, mostNoted) = (10, 2)

  /// Prints the agent's warnings in order: some of each kind, then how many more there are; of many
  /// that only explain something, how many there are with an example.
  ///
  /// - Parameter text: Returns the text for a row.
  private func warnings(_ problems: [Row], isVerbose: Bool, _ text: (Row) -> String) {
    if isVerbose { return problems.forEach { warning(text($0)) } }
    func kind(_ problem: Row) -> [String] {
      [problem.text(.problem), "\(problem.flag(.refused))"]
    }
    var totals: [[String]: Int] = [:]
    for problem in problems { totals[kind(problem), default: 0] += 1 }
    var counts: [[String]: Int] = [:]
    var more: [(kind: [String], example: Row)] = []
    for problem in problems {
      let (kind, isRefused) = (kind(problem), problem.flag(.refused))
      let (count, total) = (counts[kind, default: 0], totals[kind] ?? 0)
      counts[kind] = count + 1
      if isRefused ? count < Output.mostRefused : total <= Output.mostNoted {
        warning(text(problem))
      } else if !isRefused, count == 0 {
        warning(
          localized(
            total, one: "{count} note like this one (--verbose lists them): {example}",
            other: "{count} notes like this one (--verbose lists them): {example}",
            ["example": text(problem)]))
      } else if isRefused, count == Output.mostRefused {
        more.append((kind, problem))
      }
    }
    for (kind, example) in more {
      let rest = (totals[kind] ?? 0) - Output.mostRefused
      warning(
        rest == 1
          ? text(example)
          : localized(
            "{number} more of this kind (--verbose lists them), for example {example}",
            ["number": rest, "example": text(example)]))
    }
  }

  /// Prints the outcomes of imports, one line each, and their problems on standard error.
  func imported(
    _ outcomes: [(source: ImportInput, outcome: ImportCommandRequest.Outcome)],
    calendarNames: [String: String], skippedFiles: Int, isDryRun: Bool, isVerbose: Bool,
    isJSON: Bool
  ) throws(CommandError) {
    let keys: [RowKey] = [.added, .updated, .skipped, .failed]
    if isJSON {
      var counts = JSONObject()
      var problems: [JSONValue] = []
      for key in keys {
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
    // If everything is left out, the error reports it.
    let isRefused = ImportCommandRequest.isRefused(outcomes)
    for (source, outcome) in outcomes {
      let parts = keys.filter { outcome.count($0) > 0 }.map { key in
        let number = Int(outcome.count(key))
        return switch key {
        case .added: localized(number, one: "{count} added", other: "{count} added")
        case .updated: localized(number, one: "{count} updated", other: "{count} updated")
        case .skipped: localized(number, one: "{count} unchanged", other: "{count} unchanged")
        default: localized(number, one: "{count} left out", other: "{count} left out")
        }
      }
      let counts = parts.isEmpty ? localized("no events") : localizedList(parts)
      if !isRefused {
        try line(
          outcome.line(displayLine(source.name), counts, calendarNames, isDryRun: isDryRun))
      }
      warnings(outcome.problems, isVerbose: isVerbose) { problem in
        let place = source.place(of: problem)
        // A problem of a whole event has no line.
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
    if steps > 1, !isDryRun {
      try line(
        localized(
          steps, one: "Undo takes these back one at a time ({count} step).",
          other: "Undo takes these back one at a time ({count} steps)."))
    }
    if skippedFiles > 0 {
      try line(
        isDryRun
          ? localized(
            skippedFiles, one: "Would skip {count} file that is not a calendar.",
            other: "Would skip {count} files that are not calendars.")
          : localized(
            skippedFiles, one: "Skipped {count} file that is not a calendar.",
            other: "Skipped {count} files that are not calendars."))
    }
  }
}

extension ImportCommandRequest {
  /// Returns whether everything was left out.
  static func isRefused(_ outcomes: [(source: ImportInput, outcome: Outcome)]) -> Bool {
    outcomes.contains { $0.outcome.count(.failed) > 0 }
      && !outcomes.contains { one in
        [RowKey.added, .updated, .skipped].contains { one.outcome.count($0) > 0 }
      }
  }

  /// Ends with an exit code for scripts if events or files were left out.
  ///
  /// - Throws: ``CommandError/partial``; ``CommandError/system(_:)`` if everything was left out.
  func checkWhole(
    _ outcomes: [(source: ImportInput, outcome: Outcome)], isDryRun: Bool
  ) throws(CommandError) {
    let isWhole = outcomes.allSatisfy { $0.outcome.count(.failed) == 0 }
    if isWhole, bad.skipped == 0 { return }
    guard ImportCommandRequest.isRefused(outcomes) else { throw .partial }
    let names = outcomes.map(\.source.name).joinedAsWords
    throw .system(
      isDryRun
        ? localized("nothing would be imported from {files}", ["files": names])
        : localized("nothing was imported from {files}", ["files": names]))
  }
}
