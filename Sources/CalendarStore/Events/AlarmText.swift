import CalendarModel
import CivilTime

/// Alarms as packed text, seven items each.
///
/// The items are id, action, trigger, repeat count, repeat interval, text and acknowledged. The
/// last is in seconds since 1970, empty if the alarm was never acknowledged; a space and the id of
/// the snoozed alarm follow if the alarm is a snooze.
///
/// The trigger begins with S (from the start), C (from the start, on the clock), E (from the end)
/// or A (absolute): "S-PT15M", "CPT9H", "EPT0S", "A1795248000" (seconds since 1970).
enum AlarmText {
  static func write(_ alarms: [Alarm]) -> [UInt8] {
    guard !alarms.isEmpty else { return [] }
    var packed = PackedText()
    for alarm in alarms {
      packed.append(alarm.id)
      packed.append(alarm.action.rawValue)
      switch alarm.trigger {
      case .fromStart(let duration):
        packed.append((alarm.isOnClock ? "C" : "S") + duration.description)
      case .fromEnd(let duration): packed.append("E" + duration.description)
      case .absolute(let instant): packed.append("A\(instant.seconds)")
      }
      packed.append(String(alarm.repeatCount))
      packed.append(alarm.repeatInterval.description)
      packed.append(alarm.text)
      packed.append(
        (alarm.acknowledged.map { String($0.seconds) } ?? "")
          + (alarm.snoozeOf.map { " " + $0 } ?? ""))
    }
    return packed.bytes
  }

  /// Reads what ``write(_:)`` wrote.
  ///
  /// - Throws: ``MalformedRow`` for any other text.
  static func read(_ text: UnsafeBufferPointer<UInt8>) throws(MalformedRow) -> [Alarm] {
    var alarms: [Alarm] = []
    var reader = PackedReader(text)
    while !reader.isAtEnd {
      let id = try reader.nextText()
      guard let action = Alarm.Action(rawValue: try reader.nextText()) else {
        throw MalformedRow("the action of an alarm")
      }
      let triggerText = try reader.next()
      let isOnClock = triggerText.first == UInt8(ascii: "C")
      let trigger = try trigger(triggerText)
      guard let count = Int(try reader.nextText()) else {
        throw MalformedRow("the repeats of an alarm")
      }
      let interval = try EventEndText.readDuration(try reader.next())
      let words = try reader.nextText()
      let last = try reader.nextText()
        .split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      let acknowledged = last.first ?? ""
      var alarm = Alarm(
        id: id, action: action, trigger: trigger, repeatCount: count, repeatInterval: interval,
        text: words, acknowledged: acknowledged.isEmpty ? nil : try instant(acknowledged),
        snoozeOf: last.count > 1 ? String(last[1]) : nil)
      alarm.isOnClock = isOnClock
      alarms.append(alarm)
    }
    return alarms
  }

  private static func trigger(_ text: UnsafeBufferPointer<UInt8>) throws(MalformedRow)
    -> Alarm.Trigger
  {
    guard let kind = text.first else { throw MalformedRow("the trigger of an alarm") }
    let rest = UnsafeBufferPointer(rebasing: text[1...])
    switch kind {
    case UInt8(ascii: "S"), UInt8(ascii: "C"):
      return .fromStart(try EventEndText.readDuration(rest))
    case UInt8(ascii: "E"): return .fromEnd(try EventEndText.readDuration(rest))
    case UInt8(ascii: "A"): return .absolute(try instant(String(decoding: rest, as: UTF8.self)))
    default: throw MalformedRow("the trigger of an alarm")
    }
  }

  private static func instant(_ text: some StringProtocol) throws(MalformedRow) -> Timestamp {
    guard let seconds = Int64(text) else { throw MalformedRow("an instant of an alarm") }
    return Timestamp(seconds: seconds)
  }
}
