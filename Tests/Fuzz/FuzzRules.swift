import CivilTime
import Messages
import Recurrence

/// The text of a rule, and after a line's end the start: "FREQ=DAILY\n20261121T090000".
///
/// A rule that is read must be stable as text and must expand within the limits
/// of a case; what it expands to is the tests' business.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRules(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: octets, count: count)
  let fields = input.split(
    separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
  let text = String(decoding: fields.first ?? input[...], as: UTF8.self)
  guard let rule = try? RecurrenceRule(text: text) else { return 0 }
  let again = try? RecurrenceRule(text: rule.text)
  precondition(again == rule && again?.text == rule.text, "unstable: \(rule.text)")
  precondition(!rule.words(in: .english).isEmpty)
  precondition(!rule.words(in: chinese).isEmpty)

  let startText = fields.count > 1 ? String(decoding: fields[1], as: UTF8.self) : ""
  let start = try? CivilDateTime(text: startText)
  let date = try? CivilDate(text: startText)
  let begin = start ?? date.map { CivilDateTime($0, .midnight) } ?? defaultStart
  for zone in [ZoneRules.utc, newYork] {
    let set = RecurrenceSet(
      start: begin, isAllDay: date != nil, zone: date == nil ? zone : .utc, rules: [rule],
      isFloating: date == nil && zone === ZoneRules.utc)
    let list = set.instances(in: everything, limit: 20)
    precondition(zip(list, list.dropFirst()).allSatisfy { $0.instant < $1.instant })
    let far = Timestamp(seconds: 3_786_912_000)
    if let later = set.first(atOrAfter: far) {
      precondition(later.instant >= far)
      precondition(set.contains(later.instant))
    }
    if let middle = list.dropFirst(list.count / 2).first {
      precondition(set.first(atOrAfter: middle.instant)?.instant == middle.instant)
      let before = set.last(before: middle.instant)
      precondition(before?.instant == list.last { $0.instant < middle.instant }?.instant)
    }
    if let last = set.lastInstance(), let listed = list.last {
      precondition(last.instant >= listed.instant)
    }
  }
  return 0
}

private let everything = TimeSpan(start: .earliest, end: .latest)
/// 2026-11-21T09:00:00.
private let defaultStart = CivilDateTime(linearSeconds: 1_795_251_600)!
private let newYork = try! ZoneRules(name: "New York", posix: "EST5EDT,M3.2.0,M11.1.0")

private let chinese = Language(
  code: "zh-CN", translation: { $0 }, pluralTranslation: { one, _, _ in one })
