import CivilTime

/// One element of a rule: a symbol, whether it may be missing, whether it must be glued.
struct RuleElement: Sendable {
  let symbol: Symbol
  var isOptional = false
  var isGlued = false

  /// A symbol that may be missing.
  static func maybe(_ symbol: Symbol) -> RuleElement {
    RuleElement(symbol: symbol, isOptional: true)
  }

  /// A symbol that follows the one before without a blank: the "pm" of "3pm".
  static func glued(_ symbol: Symbol) -> RuleElement {
    RuleElement(symbol: symbol, isGlued: true)
  }

  static func one(_ symbol: Symbol) -> RuleElement { RuleElement(symbol: symbol) }
}

/// A rule of a grammar: what its elements make together.
struct GrammarRule: Sendable {
  let result: Symbol
  /// The symbols, in order.
  let symbols: [Symbol]
  /// Which of them must be glued to the one before.
  let glued: [Bool]
  /// The place of each written element among the symbols; -1 for one that is left out here.
  let places: [Int]
  let make: @Sendable (RuleMatch) -> Value?
}

/// The values that a rule found, by the places of its elements as written.
struct RuleMatch {
  let values: [Value]
  let places: [Int]
  /// What the reader of the line knows.
  let setting: PhraseSetting

  /// The value of an element; ``Value/none`` for one that is missing.
  subscript(place: Int) -> Value { places[place] < 0 ? .none : values[places[place]] }

  func has(_ place: Int) -> Bool { places[place] >= 0 }

  func integer(_ place: Int) -> Int {
    if case .integer(let value) = self[place] { value } else { 0 }
  }
  func optionalInteger(_ place: Int) -> Int? {
    if case .integer(let value) = self[place] { value } else { nil }
  }
  func list(_ place: Int) -> [Int] {
    if case .list(let value) = self[place] { value } else { [integer(place)] }
  }
  func weekday(_ place: Int) -> Weekday {
    if case .weekday(let value) = self[place] { value } else { .monday }
  }
  func weekdays(_ place: Int) -> [Weekday] {
    if case .weekdays(let value) = self[place] { value } else { [weekday(place)] }
  }
  func length(_ place: Int) -> Length {
    if case .length(let value) = self[place] { value } else { Length() }
  }
  func part(_ place: Int) -> PartOfDay? {
    if case .part(let value) = self[place] { value } else { nil }
  }
  func day(_ place: Int) -> DayReference? {
    if case .day(let value) = self[place] { value } else { nil }
  }
  func clock(_ place: Int) -> ClockReading? {
    if case .clock(let value) = self[place] { value } else { nil }
  }
  func when(_ place: Int) -> When? {
    switch self[place] {
    case .when(let value): value
    case .day(let day): When(day: day)
    case .clock(let clock): When(clock: clock)
    case .part(let part): When(part: part)
    default: nil
    }
  }
  func repeats(_ place: Int) -> RepeatReading? {
    if case .repeats(let value) = self[place] { value } else { nil }
  }
  func text(_ place: Int) -> String {
    if case .text(let value) = self[place] { value } else { "" }
  }
}

/// Collects the rules of a language.
struct RuleTable: Sendable {
  private(set) var rules: [GrammarRule] = []

  /// Adds a rule.
  ///
  ///     rules.add(.clock, [.one(.hour), .glued(.pm)]) { … }
  ///
  /// - Parameter make: The meaning; nil where the elements mean nothing together: "13pm".
  mutating func add(
    _ result: Symbol, _ elements: [RuleElement], _ make: @escaping @Sendable (RuleMatch) -> Value?
  ) {
    let optional = elements.indices.filter { elements[$0].isOptional }
    for choice in 0..<(1 << optional.count) {
      var symbols: [Symbol] = []
      var glued: [Bool] = []
      var places: [Int] = []
      for (index, element) in elements.enumerated() {
        if let bit = optional.firstIndex(of: index), choice & (1 << bit) == 0 {
          places.append(-1)
          continue
        }
        places.append(symbols.count)
        symbols.append(element.symbol)
        glued.append(element.isGlued && symbols.count > 1)
      }
      guard !symbols.isEmpty else { continue }
      rules.append(
        GrammarRule(result: result, symbols: symbols, glued: glued, places: places, make: make))
    }
  }

  /// Adds a rule of symbols that are all required.
  mutating func add(
    _ result: Symbol, _ symbols: Symbol..., make: @escaping @Sendable (RuleMatch) -> Value?
  ) {
    add(result, symbols.map { .one($0) }, make)
  }
}
