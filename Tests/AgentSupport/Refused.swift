import CalendarBus
import DBus

/// A call that is refused, by which name, and what the message says.
struct Refused: Sendable, CustomStringConvertible {
  let member: String
  let values: @Sendable () -> [Value]
  let name: String
  let words: [String]

  init(
    _ member: String, _ values: @autoclosure @escaping @Sendable () -> [Value], _ name: String,
    words: [String]
  ) {
    self.member = member
    self.values = values
    self.name = name.contains(".") ? name : Refused.name(name)
    self.words = words
  }

  init(
    _ member: String, _ values: @autoclosure @escaping @Sendable () -> [Value], _ name: String,
    _ words: String...
  ) {
    self.init(member, values(), name, words: words)
  }

  private static func name(_ short: String) -> String {
    let standard = [
      "InvalidArgs", "LimitsExceeded", "NotSupported", "UnknownMethod", "UnknownInterface",
    ]
    return (standard.contains(short) ? "org.freedesktop.DBus.Error." : Contract.errorPrefix) + short
  }

  var description: String { "\(member): \(name.split(separator: ".").last ?? "") \(words)" }
}

extension Contract {
  fileprivate static let errorPrefix = "org.datebook.Calendar1.Error."
}

func long(_ count: Int) -> Value { .string(String(repeating: "x", count: count)) }

extension AgentUnderTest {
  /// "Events.Add" and "Today" are interface and member.
  func refusal(of member: String, _ values: [Value]) throws -> DBusError {
    let parts = member.split(separator: ".").map(String.init)
    let base = Contract.calendar.text
    let interface = parts.count == 1 ? base : "\(base).\(parts[0])"
    return try refusal(
      InterfaceName(interface), MemberName(parts[parts.count - 1]), values)
  }
}
