import CivilTime

/// Forms that programs write, the same in every language.
///
///     20261121, 20261121T140000                  RFC 5545
///     2026-11-21T14:00:00+01:00, …Z, … +0100     RFC 3339, and like it
///     @1795262400                                seconds since 1970
enum MachineForms {
  /// Returns the moment; nil for any other text.
  static func moment(_ text: some StringProtocol) -> Moment? {
    if text.first == "@" {
      let range = Timestamp.earliest.seconds...Timestamp.latest.seconds
      guard let seconds = Int64(text.dropFirst()), range.contains(seconds) else { return nil }
      return .instant(Timestamp(seconds: seconds))
    }
    guard text.utf8.prefix(4).count == 4,
      text.utf8.prefix(4).allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    if let date = try? CivilDate(text: text) { return .date(date) }
    guard let (written, offset) = offset(of: text) else {
      return local(text).map { .local($0) }
    }
    guard let reading = local(written) else { return nil }
    let instant = Timestamp(reading, offset: offset)
    return instant >= .earliest && instant <= .latest ? .instant(instant) : nil
  }

  /// Durations as RFC 5545 writes them: "PT15M".
  static func lengths(in tokens: [Token]) -> [Chart.Item] {
    tokens.enumerated().compactMap { index, token in
      guard token.kind == .word, token.text.utf8.first == UInt8(ascii: "p"),
        // "p1d" may be a word of a title.
        token.text.contains("t") || tokens.count <= 3,
        let duration = try? CalendarDuration(text: token.text.uppercased()),
        let seconds = Int(exactly: duration.seconds)
      else { return nil }
      return Chart.Item(
        symbol: .length, value: .length(Length(days: duration.days, seconds: seconds)),
        start: index, end: index + 1, isCommon: true)
    }
  }

  private static func local(_ text: some StringProtocol) -> CivilDateTime? {
    // Fractions of a second are dropped.
    let whole = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    if whole.count == 2, whole[1].isEmpty || !whole[1].allSatisfy(\.isNumber) { return nil }
    let parts = whole[0].split(separator: " ")
    guard parts.count <= 2 else { return nil }
    let joined = parts.joined(separator: "T").uppercased()
    // "20261121T1400" has no seconds.
    return try? CivilDateTime(text: joined.utf8.count == 13 ? joined + "00" : joined)
  }

  /// Cuts the offset from UTC off a time; nil if there is none.
  private static func offset(of text: some StringProtocol) -> (text: String, offset: UTCOffset)? {
    if let last = text.last, last == "Z" || last == "z" { return (String(text.dropLast()), .utc) }
    for length in [6, 5] {
      let tail = text.suffix(length)
      let rest = text.dropLast(length)
      guard let sign = tail.first, sign == "+" || sign == "-", rest.contains(":"),
        let value = Int32(String(tail.dropFirst().filter { $0 != ":" })),
        tail.contains(":") == (length == 6), value / 100 < 24, value % 100 < 60
      else { continue }
      let seconds = value / 100 * 3600 + value % 100 * 60
      var written = String(rest)
      while written.last == " " { written.removeLast() }
      return (written, UTCOffset(seconds: sign == "-" ? -seconds : seconds))
    }
    return nil
  }
}
