import CivilTime
import Messages

/// Reads a line in a language.
///
/// The tokens make a chart of everything that they can mean; the covers of the chart, best first,
/// are put together until one gives an event. Nothing is dropped, and nothing that looks like a
/// time is left to the title. Where the best covers give two events, the line is refused.
///
/// - Parameter isEvent: Whether the line has a title; else it is only a time, as for `--start`.
/// - Throws: ``PhraseRefusal``.
package func readPhrase(
  _ text: some StringProtocol, in language: PhraseLanguage, _ setting: PhraseSetting,
  isEvent: Bool = true
) throws(PhraseRefusal) -> PhraseReading {
  try PhraseRefusal.naming(text) { () throws(PhraseRefusal) in
    try reading(of: text, in: language, setting, isEvent: isEvent)
  }
}

private func reading(
  of text: some StringProtocol, in language: PhraseLanguage, _ setting: PhraseSetting,
  isEvent: Bool
) throws(PhraseRefusal) -> PhraseReading {
  guard text.utf8.count <= PhraseReader.maximumOctets else {
    throw PhraseRefusal(
      UserText("longer than {limit} bytes", ["limit": PhraseReader.maximumOctets]))
  }
  for (position, octet) in text.utf8.enumerated()
  where octet < 0x20 && octet != 0x09 || octet == 0x7f {
    throw PhraseRefusal(
      UserText("there is a control character at byte {position}", ["position": position]),
      fault: position..<(position + 1))
  }
  let tokens = Tokenizer.tokens(of: text)
  guard tokens.count <= 200 else {
    throw PhraseRefusal(UserText("more than {limit} words", ["limit": 200]))
  }
  var setting = setting
  if let firstWeekday = language.firstWeekday { setting.customs.firstWeekday = firstWeekday }
  guard !tokens.isEmpty else {
    throw PhraseRefusal(
      UserText("the line is empty"), suggestions: Array(language.examples.prefix(2)))
  }
  let chart = Chart(tokens, language, setting)
  guard !chart.isFull else {
    throw PhraseRefusal(UserText("the line has too many readings"))
  }
  let line = Array(text.utf8)
  var best: (cost: Int, readings: [PhraseReading])?
  var refusals: [(assembly: Assembly, refusal: PhraseRefusal)] = []
  search: for cover in Cover.best(of: chart) {
    if let best, cover.cost > best.cost { break }
    let assembly = Assembly(
      line: line, chart: chart, cover: cover, language: language, setting: setting,
      isEvent: isEvent)
    switch assembly.outcome() {
    case .readings(let readings):
      var all = best?.readings ?? []
      for reading in readings where !all.contains(where: { $0.isSame(reading) }) {
        all.append(reading)
      }
      best = (cover.cost, all)
    case .refused(let refusal):
      refusals.append((assembly, refusal))
      if refusal.isFinal, refusals.count == 1, best == nil { break search }
    }
  }
  guard let best else {
    // Of the best covers, the first that names words: a worse one misses what the line says.
    let nearest = refusals.filter { $0.assembly.cover.cost == refusals[0].assembly.cover.cost }
    let found = nearest.first { $0.refusal.fault != nil } ?? nearest.first
    throw mistype(chart, language) ?? found.map { $0.assembly.completed($0.refusal) }
      ?? PhraseRefusal(UserText("there is no day and no time in it"))
  }
  guard best.readings.count > 1 else { return best.readings[0] }
  throw ambiguous(best.readings, line)
}

/// A word of a refused line that is nearly one of times: "wensday".
private func mistype(_ chart: Chart, _ language: PhraseLanguage) -> PhraseRefusal? {
  for token in chart.tokens
  where token.kind == .word && token.text.utf8.count >= 5 && !token.text.contains("'") {
    guard let meant = language.strictWord(near: token.text, isLoose: true) else { continue }
    return .mistype(token, meant: meant)
  }
  return nil
}

private func ambiguous(_ readings: [PhraseReading], _ line: [UInt8]) -> PhraseRefusal {
  let first = readings[0].inWords(besides: readings[1])
  let second = readings[1].inWords(besides: readings[0])
  // What the readings differ in is named where it is one piece.
  let times = readings[0].parts.filter { [.when, .repeat, .duration].contains($0.kind) }
  var refusal = PhraseRefusal(
    UserText("it could be {first} or {second}", ["first": first, "second": second]))
  if times.count == 1,
    readings.allSatisfy({ $0.parts.map(\.start) == readings[0].parts.map(\.start) })
  {
    let range = times[0].start..<times[0].end
    refusal = PhraseRefusal(
      UserText(
        "\"{words}\" could be {first} or {second}",
        [
          "words": String(decoding: line[range], as: UTF8.self), "first": first, "second": second,
        ]), fault: range)
  }
  refusal.addReadings(readings)
  return refusal
}
