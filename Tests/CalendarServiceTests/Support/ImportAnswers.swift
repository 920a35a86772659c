import CalendarBus
import DBus

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

  /// Everything that is there, or what is in one calendar, as iCalendar.
  func exportedText(of calendar: String = "") throws -> String {
    try call(Contract.transfer, "ExportText", [.string("ics"), .string(calendar), .string("")])[0]
      .asString ?? ""
  }
}
