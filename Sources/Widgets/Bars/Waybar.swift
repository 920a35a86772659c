import JSON

/// The record of a waybar module with `"return-type": "json"`: one JSON object on
/// one line.
///
/// waybar reads text and tooltip as Pango markup, and shows nothing at all where
/// that is broken, as by a bare "&"; it reads a percentage with a fraction as 0.
/// An empty text hides the module.
///
/// Source: waybar-custom(5).
package struct WaybarLine: Hashable, Sendable {
  /// The record, without the line's end.
  package let text: String

  package init(_ bar: BarText) {
    text = JSONWriter.text(of: [
      "text": .string(pangoEscaped(bar.text)),
      "alt": .string(bar.state.rawValue),
      "tooltip": .string(pangoEscaped(bar.tooltip)),
      "class": .array(bar.classes.map(JSONValue.string)),
      "percentage": .integer(Int64(bar.percentage ?? 0)),
    ])
  }
}

/// Returns text that Pango shows as it is, in elements and in attributes.
///
/// Source: docs.gtk.org/glib, "g_markup_escape_text".
func pangoEscaped(_ text: String) -> String {
  var escaped = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
    case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
    case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
    case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
    case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
    default: escaped.append(scalar)
    }
  }
  return String(escaped)
}
