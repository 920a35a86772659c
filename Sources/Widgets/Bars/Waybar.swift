import JSON
import Messages

extension BarFormat {
  /// A waybar module with `"return-type": "json"`: one JSON object on one line.
  ///
  /// waybar reads text and tooltip as Pango markup, and shows nothing if that is invalid, for
  /// example after a bare "&". It reads a percentage with a fraction as 0. An empty text hides the
  /// module.
  ///
  /// Source: waybar-custom(5).
  package static let waybar = BarFormat("waybar", UserText("a JSON object for a module of waybar"))
  { bar in
    JSONWriter.text(of: [
      "text": .string(pangoEscaped(bar.text)),
      "alt": .string(bar.state.rawValue),
      "tooltip": .string(bar.tooltip.markup),
      "class": .array(bar.classes.map(JSONValue.string)),
      "percentage": .integer(Int64(bar.percentage ?? 0)),
    ])
  }
}
