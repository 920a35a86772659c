/// The record as plain text on one line, for terminals and for bars that read
/// neither markup nor formats.
package struct PlainLine: Hashable, Sendable {
  /// The record, without the line's end; "" when there is nothing to mention.
  package let text: String

  package init(_ bar: BarText) {
    // The parts of a bar's text are clean already. Cleaning it again costs
    // little, and keeps the promise where the text is not made by us alone.
    text = displayLine(bar.text)
  }
}
