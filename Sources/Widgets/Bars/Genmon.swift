import Messages

extension BarFormat {
  /// The generic monitor of the Xfce panel: elements with Pango markup.
  ///
  /// It ends the text at the first "</txt>". An escaped title cannot close the element and add a
  /// `<txtclick>`. The panel runs the command periodically.
  ///
  /// Source: docs.xfce.org/panel-plugins/xfce4-genmon-plugin.
  static let genmon = BarFormat(
    "genmon", UserText("elements for the generic monitor of Xfce's panel"), follows: false
  ) { bar in
    let text = "<txt>\(pangoEscaped(bar.text))</txt>\n<tool>\(bar.tooltip.markup)</tool>"
    return text + (bar.percentage.map { "\n<bar>\($0)</bar>" } ?? "")
  }
}
