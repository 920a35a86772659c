import CalendarBus
import DBus
import Glibc
import TestSupport

/// What an import counts: added, updated, skipped, failed.
func importCounts(_ counts: Value) -> [Int64] {
  ["added", "updated", "skipped", "failed"].map { counts[$0]?.asInteger ?? -1 }
}

extension AgentUnderTest {
  /// What ImportText answers: the counts as of ``importCounts(_:)``, and the rows of the problems.
  func importing(
    _ text: String, into calendar: String = "", mode: String = ""
  ) throws -> (counts: [Int64], problems: [Value]) {
    let values = try call(
      Contract.transfer, "ImportText", [.string(text), .string(calendar), .string(mode)])
    return (importCounts(values[0]), values[1].asArray ?? [])
  }

  /// What is in the default calendar, or in another one, as iCalendar.
  func exportedText(of calendar: String = "") throws -> String {
    try call(Contract.transfer, "ExportText", [.string("ics"), .string(calendar), .string("")])[0]
      .asString ?? ""
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
