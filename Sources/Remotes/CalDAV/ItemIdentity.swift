/// The UID of an item of ours, and the component that has it, to search a server for.
enum ItemIdentity {
  /// Returns those of the first component that is no zone; nil if there are none.
  static func read(_ text: String) -> (uid: String, component: String)? {
    let unfolded = text.replacing("\r\n", with: "\n").replacing("\n ", with: "")
    var component = ""
    for line in unfolded.split(separator: "\n") {
      if line.hasPrefix("BEGIN:") { component = String(line.dropFirst(6)) }
      if line.hasPrefix("UID:"), component != "VTIMEZONE" {
        return (String(line.dropFirst(4)), component)
      }
    }
    return nil
  }
}
