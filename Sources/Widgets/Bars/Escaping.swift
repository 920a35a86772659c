/// Returns text that Pango shows as it is, in elements and in attributes.
///
/// Source: docs.gtk.org/glib, "g_markup_escape_text".
func pangoEscaped(_ text: String) -> String {
  replacing(text) { scalar in
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    default: nil
    }
  }
}

/// Returns text with some of its scalars written in another way.
///
/// Scalars and not characters: "<" with an accent on it is a tag all the same.
///
/// - Parameter other: the replacement of a scalar; nil for one that stays.
func replacing(_ text: String, _ other: (Unicode.Scalar) -> String?) -> String {
  var written = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    if let other = other(scalar) {
      written.append(contentsOf: other.unicodeScalars)
    } else {
      written.append(scalar)
    }
  }
  return String(written)
}
