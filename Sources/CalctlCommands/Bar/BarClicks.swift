import JSON
import Platform
import Widgets

/// The clicks that i3bar and swaybar write to a status command.
///
/// They are an endless array of objects, one for each line.
///
/// Source: i3wm.org/docs/i3bar-protocol.html, "Click events".
struct BarClicks {
  private var rest: [UInt8] = []

  /// The longest line that is read; longer ones are not from a bar.
  private static let maximumLine = 65_536

  /// Reads input, and returns the clicks on calctl's block; ignores anything else.
  mutating func take(_ octets: some Sequence<UInt8>) -> [BarAction] {
    var clicks: [BarAction] = []
    for octet in octets {
      if octet != UInt8(ascii: "\n") {
        if rest.count < BarClicks.maximumLine { rest.append(octet) }
        continue
      }
      if let click = BarClicks.click(rest) { clicks.append(click) }
      rest.removeAll(keepingCapacity: true)
    }
    return clicks
  }

  private static func click(_ line: [UInt8]) -> BarAction? {
    let text = String(decoding: line.drop { $0 == UInt8(ascii: ",") }, as: UTF8.self)
    guard let event = try? JSONReader.value(of: text, maximumOctets: maximumLine),
      event["name"]?.stringValue == BarFormat.blockName
    else { return nil }
    // i3bar names the modifier keys; swaybar does not.
    let isShifted = event["modifiers"]?.arrayValue?.contains("Shift") ?? false
    return switch event["button"]?.integerValue {
    case 1: isShifted ? .snooze : .week
    case 2: .open
    case 3: .join
    case 4: .previous
    case 5: .next
    // The back button.
    case 8: .snooze
    default: nil
    }
  }
}
