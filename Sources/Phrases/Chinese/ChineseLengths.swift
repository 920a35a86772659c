import CivilTime

extension RuleTable {
  /// Lengths of time, and what they are: 一个半小时, 三天后, 持续2小时, 提前15分钟提醒我.
  mutating func addChineseLengths() {
    add(.amount, .half) { _ in .integer(50) }
    add(.amount, .number, .plus) {
      $0.integer(0) <= 1000 ? .integer($0.integer(0) * 100 + 50) : nil
    }
    // 一小时半
    add(.length, .number, .unit, .half) {
      guard $0.integer(0) <= 1000, $0.length(1) == .hour || $0.length(1) == .year else {
        return nil
      }
      return $0.length(1).times(hundredths: $0.integer(0) * 100 + 50).map { .length($0) }
    }
    add(.length, [.one(.length), .one(.length)]) {
      let (long, short) = ($0.length(0), $0.length(1))
      guard long.seconds > 0 ? long.seconds % 3600 == 0 && short.seconds < 3600 : short.days == 0,
        long.seconds > 0 || short.seconds > 0, short.seconds > 0
      else { return nil }
      return .length(long + short)
    }
    // 1小时30分
    add(.length, .length, .number, .minuteMark) {
      let (length, minutes) = ($0.length(0), $0.integer(1))
      guard length.seconds > 0, length.seconds % 3600 == 0, minutes < 60 else { return nil }
      return .length(length + Length(seconds: minutes * 60))
    }
    // 满100天 and 2026年 are no duration of an event.
    add(.duration, .length) {
      $0.length(0).days <= 31 && $0.length(0).months <= 12 ? .length($0.length(0)) : nil
    }
    add(.duration, .for, .colon, .length) { .length($0.length(2)) }
    // 约2小时, 2小时左右
    add(.duration, .at, .length) { .length($0.length(1)) }
    add(.duration, [.one(.for), .maybe(.colon), .one(.at), .one(.length)]) { .length($0.length(3)) }
    add(.duration, .duration, .oclock) { $0.integer(1) == 0 ? .length($0.length(0)) : nil }
    add(.elapsed, [.one(.length), .one(.after)]) { .length($0.length(0)) }
    add(.elapsed, [.one(.fromNow), .one(.length), .maybe(.after)]) { .length($0.length(1)) }
    // An event is to come: 三天前 is of what is only looked at.
    add(.elapsed, .length, .before) {
      $0.setting.takesPast ? $0.length(0).negated.map { .length($0) } : nil
    }
    add(.elapsed, .at, .elapsed) { .length($0.length(1)) }
    add(.elapsed, .number, .minuteMark, .after) {
      $0.integer(0) <= 1000 ? .length(Length(seconds: $0.integer(0) * 60)) : nil
    }
    addMarkedReminder([.glued(.number), .glued(.unitLetter)]) {
      let length = $0.length($1 + 1).times(hundredths: min($0.integer($1), 1000) * 100)
      return Self.reminder(length?.negated)
    }
    add(.reminder, [.one(.early), .one(.length), .maybe(.remind)]) { .length($0.length(1)) }
    add(.reminder, .remind, .early, .length) { .length($0.length(2)) }
    add(.reminder, [.one(.length), .one(.before), .one(.remind)]) { .length($0.length(0)) }
    // 前一天提醒我
    add(.reminder, .before, .length, .remind) { .length($0.length(1)) }
    add(.reminder, [.one(.starting), .one(.before), .one(.length), .one(.remind)]) {
      .length($0.length(2))
    }
    // 提前半小时到: it is what happens then, and no reminder.
    add(.ordinary, .early, .length, .to) { _ in Value.none }
    add(.ordinary, [.one(.early), .one(.length), .glued(.activity)]) { _ in Value.none }
  }
}
