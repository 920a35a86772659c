import Messages

extension BarFormat {
  /// A plugin of xbar: the line in the bar, then the menu.
  ///
  /// After a "|" come parameters, among them a command to run, and hyphens at the beginning of a
  /// line make submenus.
  ///
  /// Source: github.com/matryer/xbar, "Plugin API".
  static let xbar = BarFormat(
    "xbar", UserText("the lines of a plugin of xbar: text and menu"), follows: false
  ) { menu($0, parameters: "") }

  /// An extension of Argos, which reads the same format and more.
  ///
  /// Emoji names, backslash escapes, terminal colors and Pango are turned off.
  ///
  /// Source: github.com/p-e-w/argos, "Line attributes".
  static let argos = BarFormat(
    "argos", UserText("the same as xbar, for Argos in GNOME Shell"), follows: false
  ) { menu($0, parameters: " | useMarkup=false emojize=false unescape=false ansi=false") }

  private static func menu(_ bar: BarText, parameters: String) -> String {
    // A menu needs a text to click on.
    var lines = [menuLine(bar.text.isEmpty ? "📅" : bar.text) + parameters, "---"]
    for line in bar.tooltip.text.split(separator: "\n") {
      lines.append(menuLine(String(line)) + parameters)
    }
    if let address = bar.event?.joinURL, !address.isEmpty {
      lines += ["---", "\(menuLine(bar.joinLabel)) | href=\(address)"]
    }
    return lines.joined(separator: "\n")
  }

  private static func menuLine(_ text: String) -> String {
    let line = replacing(text) { scalar in
      switch scalar {
      case "|": "\u{A6}"
      case "\n", "\r": " "
      default: nil
      }
    }
    let dashes = line.prefix { $0 == "-" }
    return String(repeating: "\u{2010}", count: dashes.count) + line.dropFirst(dashes.count)
  }
}
