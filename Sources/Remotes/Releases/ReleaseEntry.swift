import CivilTime
import JSON

/// An entry of a media server's calendar, in which any member may be missing.
struct ReleaseEntry {
  let json: JSONValue

  func text(_ name: String) -> String { json[name]?.stringValue ?? "" }
  func flag(_ name: String) -> Bool? { json[name]?.boolValue }
  /// Parts of a number are cut off.
  func number(_ name: String) -> Int64? {
    switch json[name] {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value.rounded(.towardZero))
    default: nil
    }
  }
  func texts(_ name: String) -> [String] {
    json[name]?.arrayValue?.compactMap(\.stringValue) ?? []
  }
  func entry(_ name: String) -> ReleaseEntry { ReleaseEntry(json: json[name] ?? .null) }

  /// The calendar date of a member that is midnight in UTC, or of a bare date.
  func day(_ name: String) -> CivilDate? {
    let text = text(name)
    // The server's zero date is "0001-01-01".
    guard let day = try? CivilDate(text: text.prefix(10)), day.year > 1 else { return nil }
    return day
  }

  func instant(_ name: String) -> Timestamp? { try? Timestamp(text: text(name)) }

  /// The name of the quality of a file: "Bluray-1080p".
  func quality(_ name: String) -> String {
    entry(name).entry("quality").entry("quality").text("name")
  }
}
