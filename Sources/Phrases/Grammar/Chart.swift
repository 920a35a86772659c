/// Everything that the tokens of a line can mean, found from the bottom up.
///
/// The chart is filled from left to right: when an item that ends at a token is new, each rule that
/// ends with its symbol looks leftwards for the rest, which is complete by then.
struct Chart {
  struct Item: Hashable {
    let symbol: Symbol
    let value: Value
    let start: Int
    let end: Int
    /// Whether it is made of words that titles have as well, and of nothing else.
    let isCommon: Bool
  }

  private(set) var items: [Item] = []
  /// The items by the token after their last one.
  private(set) var byEnd: [[Int]]
  let tokens: [Token]

  /// More items than any sensible line has; what is over is left out, and the line refused.
  static let maximumItems = 20_000
  private(set) var isFull = false

  private var known: Set<Item> = []
  private let setting: PhraseSetting

  init(_ tokens: [Token], _ language: PhraseLanguage, _ setting: PhraseSetting) {
    self.tokens = tokens
    self.setting = setting
    byEnd = Array(repeating: [], count: tokens.count + 1)
    var seeds: [[Item]] = Array(repeating: [], count: tokens.count + 1)
    for (start, token) in tokens.enumerated() {
      // Of phrases that begin alike the longest counts: "christmas eve" is no "christmas".
      var found: [Item] = []
      language.lexicon.forEachEntry(in: tokens, from: start) { entry, end in
        found.removeAll { $0.symbol == entry.symbol && $0.end < end }
        found.append(
          Item(
            symbol: entry.symbol, value: entry.value, start: start, end: end,
            isCommon: entry.isCommon))
      }
      for item in found { seeds[item.end].append(item) }
      for (symbol, value) in Self.meanings(ofNumber: token) {
        seeds[start + 1].append(
          Item(symbol: symbol, value: value, start: start, end: start + 1, isCommon: true))
      }
    }
    let seeded =
      ZoneNames.items(in: tokens) + MachineForms.lengths(in: tokens)
      + MealHours.items(in: tokens, language)
    for item in seeded {
      seeds[item.end].append(item)
    }
    for end in seeds.indices {
      for seed in seeds[end] { add(seed) }
      var next = 0
      while next < byEnd[end].count, !isFull {
        let index = byEnd[end][next]
        next += 1
        for rule in language.rules(endingWith: items[index].symbol) { apply(rule, index) }
      }
    }
  }

  private static func meanings(ofNumber token: Token) -> [(Symbol, Value)] {
    guard let number = token.number else { return [] }
    let value = Value.integer(number)
    return switch token.text.utf8.count {
    case 1: [(.number, value), (.oneDigit, value)]
    case 2: [(.number, value), (.twoDigits, value)]
    case 3: [(.number, value), (.threeDigits, value)]
    case 4:
      (1900...2199).contains(number)
        ? [(.number, value), (.fourDigits, value), (.year, value)]
        : [(.number, value), (.fourDigits, value)]
    default: [(.number, value)]
    }
  }

  /// Whether a number follows a colon, so that it counts nothing: the "30" of "14:30部门会议".
  func isMinutes(_ token: Int) -> Bool {
    token > 1 && tokens[token].kind == .number && tokens[token - 1].text == ":"
      && tokens[token].isGlued && tokens[token - 1].isGlued && tokens[token - 2].kind == .number
  }

  /// The pieces before a token: "!1h,10m" is two reminders, and not one of 70 minutes.
  func pieces(endingAt end: Int) -> [Int] {
    byEnd[end].filter { index in
      let item = items[index]
      guard case .reminders(let few) = item.value else { return item.symbol.isPiece }
      return !byEnd[end].contains {
        guard case .reminders(let more) = items[$0].value else { return false }
        return items[$0].start == item.start && more.count > few.count
      }
    }
  }

  /// Whether a token is within a word of its own that is no time.
  func isInOrdinary(_ token: Int) -> Bool {
    items.contains { $0.symbol == .ordinary && $0.start <= token && token < $0.end }
  }

  private mutating func add(_ item: Item) {
    guard items.count < Self.maximumItems else {
      isFull = true
      return
    }
    guard known.insert(item).inserted else { return }
    byEnd[item.end].append(items.count)
    items.append(item)
  }

  /// Looks for the rest of a rule before its last element.
  private mutating func apply(_ rule: GrammarRule, _ last: Int) {
    var found = [Int](repeating: last, count: rule.symbols.count)
    extend(rule, rule.symbols.count - 1, &found)
  }

  private mutating func extend(_ rule: GrammarRule, _ place: Int, _ found: inout [Int]) {
    let start = items[found[place]].start
    if rule.glued[place], start == 0 || !tokens[start].isGlued { return }
    guard place > 0 else {
      make(rule, found)
      return
    }
    let wanted = rule.symbols[place - 1]
    for index in byEnd[start] where items[index].symbol == wanted {
      found[place - 1] = index
      extend(rule, place - 1, &found)
    }
  }

  private mutating func make(_ rule: GrammarRule, _ found: [Int]) {
    let match = RuleMatch(
      values: found.map { items[$0].value }, places: rule.places, setting: setting)
    guard let value = rule.make(match) else { return }
    add(
      Item(
        symbol: rule.result, value: value, start: items[found[0]].start,
        end: items[found[found.count - 1]].end,
        isCommon: found.count == 1 && items[found[0]].isCommon))
  }
}
