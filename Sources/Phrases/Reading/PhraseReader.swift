package import CivilTime
import Messages

/// Reads what people type: events, times, ends, spans and months.
///
/// All are pieces of one grammar, in English or Chinese, as the line is. A text that could be two
/// things is refused with both.
package struct PhraseReader {
  /// The present, and the zone of what names none.
  package let context: PhraseContext
  package let zones: any Zones
  package var customs: TimeCustoms

  /// The longest line, in octets of UTF-8.
  package static let maximumOctets = 4096

  package init(
    _ context: PhraseContext, zones: any Zones, customs: TimeCustoms = TimeCustoms()
  ) {
    self.context = context
    self.zones = zones
    self.customs = customs
  }

  /// The same reader at another time or place.
  package func at(now: Timestamp? = nil, zone: ZoneRules? = nil) -> PhraseReader {
    let moved = PhraseContext(now: now ?? context.now, zone: zone ?? context.zone)
    return PhraseReader(moved, zones: zones, customs: customs)
  }

  /// Reads an event with its title: "lunch with Ana friday 12:30-13:15 at Sal's #work !15m".
  ///
  /// - Throws: ``PhraseRefusal``.
  package func event(_ text: some StringProtocol) throws(PhraseRefusal) -> PhraseReading {
    try read(text, isEvent: true) { _, _ in }
  }

  /// Reads the times of an event, without a title: "fri 9:30-11:00", "every tuesday 18:00".
  ///
  /// - Throws: ``PhraseRefusal``.
  package func times(_ text: some StringProtocol) throws(PhraseRefusal) -> PhraseReading {
    try read(text, isEvent: false) { _, _ in }
  }

  /// Reads a line in the language that it is in.
  ///
  /// - Parameter adjust: Sets more of the setting; it gets the zone of its times.
  func read(
    _ text: some StringProtocol, isEvent: Bool,
    _ adjust: (inout PhraseSetting, ZoneRules) -> Void
  ) throws(PhraseRefusal) -> PhraseReading {
    guard PhraseLanguage.languages(of: text).count > 1 else {
      return try read(text, in: .english, isEvent: isEvent, adjust)
    }
    do throws(PhraseRefusal) {
      let reading = try read(text, in: .chinese, isEvent: isEvent, adjust)
      if !hasTimes(reading, of: text, in: .english) { return reading }
    } catch {
      // A Chinese name does not make an English line Chinese: "lunch with 李明 tomorrow 12:30".
      guard let reading = try? read(text, in: .english, isEvent: isEvent, adjust),
        !hasTimes(reading, of: text, in: .chinese)
      else { throw error }
      return reading
    }
    let reading = try read(text, in: .english, isEvent: isEvent, adjust)
    guard !hasTimes(reading, of: text, in: .chinese) else {
      throw PhraseRefusal(UserText("its times are in two languages"))
    }
    return reading
  }

  /// Whether the title or the place would be times in a language, outside of quotation marks.
  private func hasTimes(
    _ reading: PhraseReading, of line: some StringProtocol, in language: PhraseLanguage
  ) -> Bool {
    let setting = setting(at: context.zone)
    let octets = Array(line.utf8)
    let title = reading.parts.filter { $0.kind == .title }.map {
      String(decoding: octets[$0.start..<$0.end], as: UTF8.self)
    }
    return [title.joined(separator: " "), reading.place].contains { words in
      Chart(Tokenizer.tokens(of: words), language, setting).items.contains {
        // 工作日 8:50 is no time of an English line.
        ($0.symbol.isPiece || $0.symbol == .workday || $0.symbol == .only) && !$0.isCommon
      }
    }
  }

  /// Reads a line, with the zone that it may name.
  ///
  /// "9:00 Europe/Berlin" is on the clock of Berlin, and the next 9:00 there. The result names the
  /// zone as ``zones`` does.
  private func read(
    _ text: some StringProtocol, in language: PhraseLanguage, isEvent: Bool,
    _ adjust: (inout PhraseSetting, ZoneRules) -> Void
  ) throws(PhraseRefusal) -> PhraseReading {
    func read(at zone: ZoneRules) throws(PhraseRefusal) -> PhraseReading {
      var setting = setting(at: zone)
      adjust(&setting, zone)
      return try readPhrase(text, in: language, setting, isEvent: isEvent)
    }
    let reading = try read(at: context.zone)
    guard let named = reading.zone else { return reading }
    guard let rules = try? zones.rules(named: named.name) else {
      throw PhraseRefusal(UserText("there is no zone \"{zone}\"", ["zone": named.name]))
    }
    let moved = try read(at: rules)
    if let offset = named.offsetSeconds, case .local(let start) = moved.start {
      let instant = rules.instant(of: start)
      guard instant == Timestamp(seconds: start.linearSeconds - Int64(offset)) else {
        throw PhraseRefusal(
          UserText(
            "{zone} has another time on {date}; name the zone as \"{zone}\"",
            ["zone": rules.name, "date": start.date.description]))
      }
    }
    return moved
  }

  func setting(at zone: ZoneRules) -> PhraseSetting {
    var setting = PhraseSetting(now: zone.reading(at: context.now), customs: customs)
    setting.today = context.today
    return setting
  }
}
