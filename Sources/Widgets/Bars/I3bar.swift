import JSON
import Messages

extension BarFormat {
  /// The `status_command` of i3bar: an endless array with an array of blocks for each update.
  ///
  /// "markup" is "none", so that text is not read as Pango. A block with an empty text is not
  /// drawn.
  ///
  /// Source: i3wm.org/docs/i3bar-protocol.html.
  static let i3bar = protocolFormat(
    "i3bar", UserText("the protocol of i3bar, for its status_command"))

  /// swaybar speaks i3bar's protocol. Source: swaybar-protocol(7).
  static let swaybar = protocolFormat("swaybar", UserText("the same as i3bar, for swaybar"))

  private static func protocolFormat(_ name: String, _ explanation: UserText) -> BarFormat {
    BarFormat(
      name, explanation, preamble: "{\"version\":1,\"click_events\":true}\n[", closing: ",",
      sendsClicks: true
    ) { bar in
      let block = JSONObject([("name", .string(blockName))] + blockKeys(bar))
      return JSONWriter.text(of: .array([.object(block)]))
    }
  }

  /// A block of i3blocks with `format=json`; with `interval=persist` if it follows.
  ///
  /// Source: i3blocks(1).
  static let i3blocks = BarFormat(
    "i3blocks", UserText("a JSON object for i3blocks, format=json")
  ) { bar in
    JSONWriter.text(of: .object(JSONObject(blockKeys(bar))))
  }

  /// The name of the block, in records and in clicks on it.
  package static let blockName = "datebook"

  private static func blockKeys(_ bar: BarText) -> [(String, JSONValue)] {
    [
      ("full_text", .string(bar.text)), ("short_text", .string(bar.short)),
      ("markup", "none"), ("urgent", JSONValue(bar.classes.contains("reminder"))),
    ]
  }
}
