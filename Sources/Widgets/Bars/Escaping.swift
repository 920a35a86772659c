/// Returns text escaped for Pango, for elements and attributes.
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

/// Returns text with some of its scalars replaced.
///
/// Scalars and not characters: "<" with a combining accent still begins a tag.
///
/// - Parameter other: The replacement of a scalar; nil to keep it.
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
