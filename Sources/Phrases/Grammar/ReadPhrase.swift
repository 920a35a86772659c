import CivilTime
import Messages

/// Reads a line in a language.
///
/// The tokens make a chart of everything that they can mean; the covers of the chart, best first,
/// are put together until one gives an event. Nothing is dropped, and nothing that looks like a time
/// is left to the title. Where the best covers give two events, the line is refused.
///
/// - Parameter isEvent: Whether the line has a title; else it is only a time, as for `--start`.
/// - Throws: ``PhraseRefusal``.
package func readPhrase(
  _ text: some StringProtocol, in language: PhraseLanguage, _ setting: PhraseSetting,
  isEvent: Bool = true
) throws(PhraseRefusal) -> PhraseReading {
  guard text.utf8.count <= 4096 else {
    throw PhraseRefusal(UserText("longer than {limit} bytes", ["limit": 4096]))
  }
  let tokens = Tokenizer.tokens(of: text)
  guard tokens.count <= 200 else {
    throw PhraseRefusal(UserText("more than {limit} words", ["limit": 200]))
  }
  guard !tokens.isEmpty else {
    var refusal = PhraseRefusal(UserText("the line is empty"))
    refusal.suggestions = Array(language.examples.prefix(2))
    throw refusal
  }
  let chart = Chart(tokens, language, setting)
  guard !chart.isFull else {
    throw PhraseRefusal(UserText("the line has too many readings"))
  }
  let line = Array(text.utf8)
  var best: (cost: Int, readings: [PhraseReading])?
  var firstRefusal: PhraseRefusal?
  for cover in Cover.best(of: chart) {
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
      if firstRefusal == nil { firstRefusal = refusal }
    }
  }
  guard let best else {
    throw firstRefusal ?? PhraseRefusal(UserText("there is no time in it"))
  }
  guard best.readings.count > 1 else { return best.readings[0] }
  throw ambiguous(best.readings)
}

private func ambiguous(_ readings: [PhraseReading]) -> PhraseRefusal {
  var refusal = PhraseRefusal(
    UserText(
      "it could be {first} or {second}",
      ["first": readings[0].inShort, "second": readings[1].inShort]))
  refusal.readings = readings
  let starts = readings.map(\.startInShort)
  if Set(starts).count == starts.count { refusal.suggestions = starts }
  refusal.understood = readings[0].parts
  return refusal
}
