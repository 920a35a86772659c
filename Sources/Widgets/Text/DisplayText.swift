package import Messages

/// Returns other people's text as one line that is safe to show.
///
/// Line breaks and tabs become a space, and runs of spaces one. Removed are control characters (ESC
/// begins terminal commands), the invisible controls of bidirectional text (they can reverse the
/// text after the title), other invisible marks, and combining marks after the eighth on a letter,
/// which would cover the neighbors. Joiners stay, since emoji and several scripts need them.
package func displayLine(_ text: String) -> String {
  var line = String.UnicodeScalarView()
  var wantsSpace = false
  var marks = 0
  for scalar in text.unicodeScalars {
    switch scalarKind(scalar) {
    case .space:
      wantsSpace = !line.isEmpty
      continue
    case .dropped:
      continue
    case .mark:
      marks += 1
      if marks > 8 { continue }
    case .shown:
      marks = 0
    }
    if wantsSpace { line.append(" ") }
    wantsSpace = false
    line.append(scalar)
  }
  return String(line)
}

/// Returns the title of a row on one line, with its number of occurrences.
///
/// "(no title)" without a title, "Busy" for a row that ``PrivacyLevel/busy`` has reduced to its
/// time, "Tick (1,440 times)" for a row that combines occurrences.
func displayTitle(
  _ summary: String, uid: String, calendar: String, times count: Int, _ language: Language
) -> String {
  if uid.isEmpty, calendar == PrivacyLevel.busyCalendar, summary == PrivacyLevel.busyTitle {
    return language.string(UserText("Busy"))
  }
  return titleText(displayLine(summary), times: count, language)
}

/// Returns the title of a row with its number of occurrences: "Tick (1,440 times)".
///
/// - Parameters:
///   - title: On one line; "" for an event without a title.
///   - count: See ``SnapshotEvent/count``.
package func titleText(_ title: String, times count: Int, _ language: Language) -> String {
  let title = title.isEmpty ? language.string(UserText("(no title)")) : title
  if count == 1 { return title }
  if count == 0 { return language.string(UserText("{title} (many times)", ["title": title])) }
  let digits = String(count)
  let number = count < 1000 ? digits : "\(digits.dropLast(3)),\(digits.suffix(3))"
  return language.string(
    UserText(
      count, one: "{title} ({number} time)", other: "{title} ({number} times)",
      ["title": title, "number": number]))
}

/// Returns text of at most `maximum` characters (graphemes); a cut text ends with "…".
///
/// A grapheme can have any number of scalars, so the bytes are limited as well: to 16 for each
/// character, and never below 64.
package func shortened(_ text: String, toCharacters maximum: Int) -> String {
  shortened(text, to: maximum) { _ in 1 }
}

/// Returns text of at most `maximum` columns of a terminal; a cut text ends with "…".
///
/// The bytes are limited as in ``shortened(_:toCharacters:)``.
package func shortened(_ text: String, toColumns maximum: Int) -> String {
  shortened(text, to: maximum, width: \.columns)
}

private func shortened(
  _ text: String, to maximum: Int, width: (Character) -> Int
) -> String {
  // No text has more characters, or columns, than octets.
  if text.utf8.count <= maximum { return text }
  guard maximum > 0 else { return "" }
  var octets = max(64, maximum * 16)
  var count = 0
  var end = text.startIndex
  // Where to cut if more follows: room is left for the "…".
  var cut = end
  while end < text.endIndex {
    let next = text.index(after: end)
    octets -= text.utf8.distance(from: end, to: next)
    count += width(text[end])
    if count > maximum || octets < 0 {
      let kept = text[..<cut]
      return (kept.lastIndex { $0 != " " }.map { String(kept[...$0]) } ?? "") + "…"
    }
    end = next
    if count < maximum { cut = end }
  }
  return text
}

/// Returns a text that is useful only as a whole: "" if it is too long.
package func whole(_ text: String, maximumOctets: Int) -> String {
  text.utf8.count <= maximumOctets ? text : ""
}

private enum ScalarKind {
  case shown, mark, space, dropped
}

private func scalarKind(_ scalar: Unicode.Scalar) -> ScalarKind {
  switch scalar.value {
  case 0x21...0x7E: return .shown
  case 0x20, 0x09...0x0D, 0x85, 0x2028, 0x2029: return .space
  case 0...0x1F, 0x7F...0x9F: return .dropped
  // Embeddings and overrides; isolates and deprecated controls; directional marks.
  case 0x202A...0x202E, 0x2066...0x206F, 0x200E, 0x200F, 0x061C: return .dropped
  // The byte order mark, interlinear annotation, the language tag.
  case 0xFEFF, 0xFFF9...0xFFFB, 0xE0001: return .dropped
  default: break
  }
  if scalar.properties.isNoncharacterCodePoint { return .dropped }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark: return .mark
  // A joiner does not begin a new letter.
  case .format: return .mark
  default: return .shown
  }
}
