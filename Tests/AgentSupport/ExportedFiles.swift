import CalendarBus
import DBus
import Glibc
import TestSupport

extension AgentUnderTest {
  /// Begins an export to a descriptor, which is duplicated.
  func beginExport(
    to descriptor: Int32, format: String = "", calendars: [String] = [],
    _ options: [(String, Value)] = []
  ) throws -> Answer {
    try begin(
      .call(
        Contract.busName, Contract.path, Contract.transfer, "Export",
        [
          .fileDescriptor(try DBus.FileDescriptor(duplicating: descriptor)),
          .string(format), .strings(calendars), .row(options),
        ]))
  }

  func finishExport(_ answer: Answer) throws -> Int64 {
    try wait(for: "the end of the export") { answer.result != nil }
    let counts = try answer.values()[0].asRow ?? []
    return counts.reduce(0) { $0 + ($1.1.asInteger ?? 0) }
  }

  /// Exports to a file, and returns what was counted and what is in it.
  func export(
    _ format: String = "", _ options: (String, Value)..., calendars: [String] = []
  ) throws -> (count: Int64, text: String) {
    let path = files.file("out")
    let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(number) }
    let count = try finishExport(
      beginExport(to: number, format: format, calendars: calendars, options))
    return (count, String(decoding: files.read("out") ?? [], as: UTF8.self))
  }

  /// Some 100 bytes each.
  func importMany(_ count: Int, prefix: String = "e") throws {
    try importComponents(
      (0..<count).map {
        component("\(prefix)\($0)", "DTSTART:20261121T140000Z", "SUMMARY:Number \($0)")
      }.joined())
  }
}

/// Texts of components in a file.
func components(_ name: String, of text: String) -> [String] {
  text.split(separator: "BEGIN:\(name)\r\n").dropFirst().map {
    String($0.prefix(upTo: $0.firstRange(of: "END:\(name)\r\n")?.lowerBound ?? $0.endIndex))
  }
}

/// The titles in a file, in its order.
func summaries(of text: String) -> [String] {
  text.split(separator: "\r\n").filter { $0.hasPrefix("SUMMARY") }
    .map { String($0.drop { $0 != ":" }.dropFirst()) }
}
