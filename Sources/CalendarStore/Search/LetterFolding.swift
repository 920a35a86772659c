import CivilTime

/// Folds letters for search: without case and diacritics, which people often leave out.
///
/// The index's tokenizer folds only Latin letters, and does not compose characters. The rest is
/// done here: Greek, Cyrillic, Hebrew and Arabic letters lose their marks, and kana and Hangul are
/// composed. Voiced kana stay distinct: が is another letter than か.
///
/// Why a table? The standard library compares by canonical equivalence, but does not expose
/// decompositions.
enum LetterFolding {
  /// A range of letters that are equal without their marks.
  struct Run {
    let letters: ClosedRange<UInt32>
    let base: Unicode.Scalar

    init(_ letters: ClosedRange<UInt32>, _ base: Unicode.Scalar) {
      (self.letters, self.base) = (letters, base)
    }

    init(_ letter: UInt32, _ base: Unicode.Scalar) {
      self.init(letter...letter, base)
    }
  }

  /// Returns a letter without its marks, and σ for ς.
  ///
  /// nil if the letter has no marks, or if the tokenizer folds it.
  static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    let value = scalar.value
    guard value >= 0x01ee, value <= 0xfb4e else { return nil }
    let index = runs.partitioningIndex { $0.letters.upperBound >= value }
    return index < runs.count && runs[index].letters.contains(value) ? runs[index].base : nil
  }

  /// Whether a character only marks the letter before it.
  ///
  /// Such are accents of Latin, Greek and Cyrillic, points of Hebrew, vowels of Arabic and Syriac.
  /// The marks of Indic and further scripts are not: there they include vowels.
  ///
  /// Source: UnicodeData.txt, general category Mn.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x0300: false
    case 0x0300...0x036f, 0x0483...0x0487, 0x0591...0x05bd, 0x05bf, 0x05c1...0x05c2,
      0x05c4...0x05c5, 0x05c7, 0x0610...0x061a, 0x064b...0x065f, 0x0670, 0x06d6...0x06dc,
      0x06df...0x06e4, 0x06e7...0x06e8, 0x06ea...0x06ed, 0x0711, 0x0730...0x074a,
      0x1ab0...0x1abd, 0x1dc0...0x1dff, 0xfb1e, 0xfe20...0xfe2f:
      true
    default: false
    }
  }

  /// Returns one character for two: a voiced kana, or a larger part of a Hangul syllable; else nil.
  ///
  /// Source: The Unicode Standard, section 3.12, for Hangul.
  static func composed(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    switch second.value {
    case 0x1161...0x1175:
      guard case 0x1100...0x1112 = first.value else { return nil }
      return Unicode.Scalar(0xac00 + ((first.value - 0x1100) * 21 + second.value - 0x1161) * 28)
    case 0x11a8...0x11c2:
      guard case 0xac00...0xd7a3 = first.value, (first.value - 0xac00) % 28 == 0 else { return nil }
      return Unicode.Scalar(first.value + second.value - 0x11a7)
    case 0x3099: return voiced(first.value)
    case 0x309a:
      guard case 0x306f...0x307b = katakanaAsHiragana(first.value), first.value % 3 == 0 else {
        return nil
      }
      return Unicode.Scalar(first.value + 2)
    default: return nil
    }
  }

  /// Maps katakana to hiragana: both have the same order, 0x60 apart.
  private static func katakanaAsHiragana(_ value: UInt32) -> UInt32 {
    value >= 0x30a0 && value <= 0x30ff ? value - 0x60 : value
  }

  private static func voiced(_ value: UInt32) -> Unicode.Scalar? {
    switch (katakanaAsHiragana(value), value) {
    case (0x3046, _): Unicode.Scalar(value + 0x4e)
    // Every second letter from か to ち, the others after the small っ, every third from は to ほ.
    case (0x304b...0x3061, _) where value % 2 == 1: Unicode.Scalar(value + 1)
    case (0x3064...0x3068, _) where value % 2 == 0: Unicode.Scalar(value + 1)
    case (0x306f...0x307b, _) where value % 3 == 0: Unicode.Scalar(value + 1)
    case (0x309d, _): Unicode.Scalar(value + 1)
    case (_, 0x30ef...0x30f2): Unicode.Scalar(value + 8)
    default: nil
    }
  }

  // MARK: Names

  /// Folds a text for comparing names: without case and diacritics, Latin ones included.
  ///
  /// Other letters are as in ``SearchText/spaced(_:)``.
  static func plain(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in SearchText.spaced(text.lowercased()).unicodeScalars {
      plain.append(latinBase(of: scalar) ?? scalar)
    }
    return String(plain)
  }

  /// Returns "e" for "é", by its name, LATIN SMALL LETTER E WITH ACUTE; nil for other characters.
  private static func latinBase(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard scalar.value >= 0x80, scalar.value < 0x1f00, let name = scalar.properties.name else {
      return nil
    }
    let words = name.split(separator: " ", maxSplits: 4)
    guard words.count == 5, words[0] == "LATIN", words[1] == "SMALL", words[4].hasPrefix("WITH "),
      words[3].utf8.count == 1
    else { return nil }
    return words[3].lowercased().unicodeScalars.first
  }
}
