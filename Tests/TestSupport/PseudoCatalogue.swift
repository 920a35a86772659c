import Messages

/// Returns a catalogue of the pseudo-language for gettext, made from a template.
///
/// Source: GNU gettext manual, "The Format of GNU MO Files".
package func pseudoCatalogue(template: String) -> [UInt8] {
  var entries: [(key: [UInt8], text: [UInt8])] = [
    (
      [],
      Array(
        """
        Content-Type: text/plain; charset=UTF-8
        Plural-Forms: nplurals=2; plural=n != 1;

        """.utf8)
    )
  ]
  for block in template.split(separator: "\n\n").dropFirst() {
    var patterns: [String] = []
    for line in block.split(separator: "\n") {
      guard line.hasPrefix("msgid"), let start = line.firstIndex(of: "\"") else { continue }
      patterns.append(unescaped(line[line.index(after: start)...].dropLast()))
    }
    let texts = patterns.map(Language.pseudoTranslation)
    entries.append(
      (Array(patterns.joined(separator: "\0").utf8), Array(texts.joined(separator: "\0").utf8)))
  }
  entries.sort { $0.key.lexicographicallyPrecedes($1.key) }
  return encoded(entries)
}

/// Returns the text of a string of a template, without its escapes.
private func unescaped(_ text: Substring) -> String {
  var result = ""
  var isEscaped = false
  for character in text {
    if isEscaped {
      result.append(character == "n" ? "\n" : character == "t" ? "\t" : character)
      isEscaped = false
    } else if character == "\\" {
      isEscaped = true
    } else {
      result.append(character)
    }
  }
  return result
}

private func encoded(_ entries: [(key: [UInt8], text: [UInt8])]) -> [UInt8] {
  var bytes: [UInt8] = []
  func append(_ number: Int) {
    withUnsafeBytes(of: UInt32(number).littleEndian) { bytes += $0 }
  }
  let (head, table) = (28, 8 * entries.count)
  for number in [0x9504_12DE, 0, entries.count, head, head + table, 0, head + 2 * table] {
    append(number)
  }
  var place = head + 2 * table
  for strings in [entries.map(\.key), entries.map(\.text)] {
    for string in strings {
      append(string.count)
      append(place)
      place += string.count + 1
    }
  }
  for strings in [entries.map(\.key), entries.map(\.text)] {
    for string in strings { bytes += string + [0] }
  }
  return bytes
}
