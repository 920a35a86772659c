/// Weeks and months that are over, as words: no event begins then, but they are looked at.
enum ChinesePast {
  /// Their distance from now, in the unit.
  static let words: [String: (unit: ReadDays.Unit, count: Int)] = {
    var words: [String: (unit: ReadDays.Unit, count: Int)] = [:]
    for (unit, count, names) in [
      (.week, -1, ["上周", "上週", "上星期", "上个星期", "上個星期", "上一周"]),
      (.week, -2, ["上上周", "上上週", "上上星期"]),
      (.month, -1, ["上月", "上个月", "上個月"]), (.month, -2, ["上上个月", "上上個月"]),
    ] as [(ReadDays.Unit, Int, [String])] {
      for name in names { words[name] = (unit, count) }
    }
    return words
  }()
}
