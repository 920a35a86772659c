import CalendarBus
import DBus
import Glibc
import Platform
import TestSupport

/// What an import counts: added, updated, skipped, failed.
func importCounts(_ counts: Value) -> [Int64] {
  ["added", "updated", "skipped", "failed"].map { counts[$0]?.asInteger ?? -1 }
}

/// The lines of a text that begin so, folds undone.
func unfoldedLines(_ prefix: String, of text: String) -> [String] {
  text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
    .filter { $0.hasPrefix(prefix) }
}

/// The answer of an import.
struct ImportAnswer: Equatable {
  let counts: [Int64]
  /// Line, word and whether the event was refused.
  let problems: [String]

  /// - Parameter values: what Import and ImportText answer.
  init(_ values: [Value]) {
    counts = importCounts(values[0])
    problems = (values[1].asArray ?? []).map { row in
      "\(row["line"]?.asInteger ?? -1) \(row["problem"]?.asString ?? "?") "
        + (row["refused"] == .boolean(true) ? "refused" : "kept")
    }
  }
}

extension AgentUnderTest {
  func importAnswer(_ text: String, mode: String = "") throws -> ImportAnswer {
    ImportAnswer(
      try call(
        Contract.transfer, "ImportText", [.string(text), .string(""), .string(mode)]))
  }

  /// Begins an import of a descriptor, which is duplicated.
  func beginImport(
    _ descriptor: Platform.FileDescriptor, format: String = "", mode: String = "",
    _ options: (String, Value)...
  ) throws -> Answer {
    try beginImport(descriptor, format: format, mode: mode, options)
  }

  func beginImport(
    _ descriptor: Platform.FileDescriptor, format: String = "", mode: String = "",
    _ options: [(String, Value)]
  ) throws -> Answer {
    try begin(
      .call(
        Contract.busName, Contract.path, Contract.transfer, "Import",
        [
          .fileDescriptor(try DBus.FileDescriptor(duplicating: descriptor.number)),
          .string(format), .string(""), .string(mode), .row(options),
        ]))
  }

  func finishImport(_ answer: Answer) throws -> [Value] {
    try wait(for: "the end of the import") { answer.result != nil }
    return try answer.values()
  }

  /// What ImportText answers: the counts as of ``importCounts(_:)``, and the rows of the problems.
  func importing(
    _ text: String, into calendar: String = "", mode: String = ""
  ) throws -> (counts: [Int64], problems: [Value]) {
    let values = try call(
      Contract.transfer, "ImportText", [.string(text), .string(calendar), .string(mode)])
    return (importCounts(values[0]), values[1].asArray ?? [])
  }

  /// What ImportText answers: the counts as of ``importCounts(_:)``, and each problem as
  /// "line:column word: text".
  func importTelling(
    _ text: String, into calendar: String = "", mode: String = ""
  ) throws -> (counts: [Int64], problems: [String]) {
    let (counts, problems) = try importing(text, into: calendar, mode: mode)
    return (
      counts,
      problems.map { row in
        "\(row["line"]?.asInteger ?? -1):\(row["column"]?.asInteger ?? -1) "
          + "\(row["problem"]?.asString ?? ""): \(row["text"]?.asString ?? "")"
      }
    )
  }

  /// What is in the default calendar, or in another one, or one event.
  func exportedText(
    of calendar: String = "", uid: String = "", as format: String = "ics"
  ) throws -> String {
    try call(
      Contract.transfer, "ExportText", [.string(format), .string(calendar), .string(uid)])[0]
      .asString ?? ""
  }

  func createCalendar(_ name: String, _ color: String = "") throws {
    _ = try call(
      Contract.calendars, "Create", [.string(name), .string(color), .string("")])
  }

  /// Exports everything to the file "backup" of its folder, and returns what is in it.
  func backup(_ format: String = "") throws -> String {
    let path = files.file("backup")
    let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(number) }
    _ = try call(
      Contract.transfer, "Export",
      [
        .fileDescriptor(try DBus.FileDescriptor(duplicating: number)), .string(format),
        .strings([]), .row([]),
      ])
    return String(decoding: files.read("backup") ?? [], as: UTF8.self)
  }
}
