import Testing

@testable import CalendarStore

@Suite struct `Letters without their marks` {
  /// The marks that letters of the table are written with.
  private static let marks = [
    "\u{300}", "\u{301}", "\u{304}", "\u{306}", "\u{307}", "\u{308}", "\u{30b}", "\u{30c}",
    "\u{30f}",
    "\u{313}", "\u{314}", "\u{342}", "\u{345}", "\u{5b4}", "\u{5b7}", "\u{5b8}", "\u{5b9}",
    "\u{5bc}", "\u{5bf}", "\u{5c1}", "\u{5c2}", "\u{653}", "\u{654}", "\u{655}",
  ]

  /// The texts of a base with one to three marks; they compare as the letters that they are.
  private func marked(_ base: Unicode.Scalar) -> Set<String> {
    // Some letters of the table are the base itself, under another number.
    var all: Set<String> = [String(Character(base))]
    var last = [String(Character(base))]
    // The marks of the base's own script are enough.
    let marks = Self.marks.filter {
      guard let mark = $0.unicodeScalars.first else { return false }
      return mark.value < 0x400 ? base.value < 0x500 : mark.value >> 8 == base.value >> 8
    }
    for _ in 1...3 {
      last = last.flatMap { text in marks.map { text + $0 } }
      all.formUnion(last)
    }
    return all
  }

  @Test func `each letter of the table is its base with marks`() throws {
    var made: [Unicode.Scalar: Set<String>] = [:]
    for run in LetterFolding.runs {
      let texts = made[run.base] ?? marked(run.base)
      made[run.base] = texts
      for value in run.letters where value != 0x3c2 {
        let letter = try #require(Unicode.Scalar(value))
        // What is not assigned stands in no text.
        if letter.properties.generalCategory == .unassigned { continue }
        #expect(texts.contains(String(Character(letter))), "\(String(value, radix: 16))")
        #expect(LetterFolding.base(of: letter) == run.base)
        #expect(LetterFolding.base(of: run.base) == nil)
      }
    }
  }

  @Test func `the table is in order`() {
    let runs = LetterFolding.runs
    #expect(
      zip(runs, runs.dropFirst()).allSatisfy { $0.letters.upperBound < $1.letters.lowerBound })
  }

  @Test func `what is put together is what the standard library takes for the same`() throws {
    let kana = Set(
      (0x3041...0x30ff).compactMap { Unicode.Scalar($0).map { String(Character($0)) } })
    var count = 0
    for first in [0x1100...0x1112, 0x3041...0x30ff, 0xac00...0xac40] as [ClosedRange<UInt32>] {
      for value in first {
        for mark in [0x1161, 0x1175, 0x11a8, 0x11c2, 0x3099, 0x309a] as [UInt32] {
          let (base, mark) = (
            try #require(Unicode.Scalar(value)), try #require(Unicode.Scalar(mark))
          )
          let pair = String(String.UnicodeScalarView([base, mark]))
          guard let one = LetterFolding.composed(base, mark) else {
            #expect(!kana.contains(pair), "\(value) \(mark)")
            continue
          }
          #expect(String(Character(one)) == pair, "\(value) \(mark)")
          count += 1
        }
      }
    }
    #expect(count > 19 * 2 + 58)
  }
}
