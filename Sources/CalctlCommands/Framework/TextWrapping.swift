import Widgets

/// Wraps texts for a terminal.
enum TextWrapping {
  /// Returns text in lines of at most 96 columns, each after an indent.
  ///
  /// Lines end between words. Chinese has no spaces between words: there a line may end after each
  /// character, but does not begin with a closing mark or end with an opening one.
  static func lines(of text: String, indent: String = "") -> String {
    var lines: [String] = []
    var (line, width) = (indent, indent.columns)
    for word in text.split(separator: " ") {
      for (index, piece) in pieces(of: word).enumerated() {
        let columns = piece.columns
        if width + columns > 96, line != indent {
          lines.append(line)
          (line, width) = (indent, indent.columns)
        }
        if index == 0, line != indent {
          line += " "
          width += 1
        }
        line += piece
        width += columns
      }
    }
    return (lines + [line]).map { $0 + "\n" }.joined()
  }

  /// Returns the parts of a word between which a line may end.
  private static func pieces(of word: Substring) -> [Substring] {
    var pieces: [Substring] = []
    var start = word.startIndex
    var last: Character?
    for index in word.indices {
      let next = word[index]
      if let last, last.columns == 2 || next.columns == 2, !opening.contains(last),
        !closing.contains(next)
      {
        pieces.append(word[start..<index])
        start = index
      }
      last = next
    }
    pieces.append(word[start...])
    return pieces
  }

  private static let opening: Set<Character> = ["（", "“", "「", "《", "(", "\"", "["]
  private static let closing: Set<Character> = [
    "，", "。", "、", "；", "：", "？", "！", "）", "”", "」", "》", "…", ")", "\"", "]", ",", ".", ";",
  ]
}
