/// A way to divide the tokens of a line into pieces of the chart and words of the title.
struct Cover {
  /// Items of the chart, in order, that do not overlap.
  let pieces: [Int]
  /// Words that are left to the title come first, then the number of pieces: fewer is better.
  let cost: Int

  /// How many ways are kept for each token.
  private static let width = 24

  /// Returns the best ways, best first.
  static func best(of chart: Chart) -> [Cover] {
    let tokens = chart.tokens
    var paths: [[Cover]] = Array(repeating: [], count: tokens.count + 1)
    paths[0] = [Cover(pieces: [], cost: 0)]
    // "!15m" is no "!" and a duration: of many reminders the ways to cut them would be too many.
    var beginsReminder = [Bool](repeating: false, count: tokens.count)
    for item in chart.items where item.symbol == .reminder { beginsReminder[item.start] = true }
    for end in 1..<(tokens.count + 1) {
      let isFree =
        tokens[end - 1].kind == .calendar
        || tokens[end - 1].kind == .mark && !beginsReminder[end - 1]
      let step = isFree ? 0 : 100
      var found = paths[end - 1].map { Cover(pieces: $0.pieces, cost: $0.cost + step) }
      for index in chart.pieces(endingAt: end) {
        for path in paths[chart.items[index].start] {
          found.append(Cover(pieces: path.pieces + [index], cost: path.cost + 1))
        }
      }
      found.sort { $0.cost < $1.cost }
      if found.count > width { found.removeLast(found.count - width) }
      paths[end] = found
    }
    return paths[tokens.count]
  }
}
