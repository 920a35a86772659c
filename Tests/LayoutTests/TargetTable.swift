/// The table "Targets" of Sources/README.md.
struct TargetTable {
  /// One row.
  struct Row: Equatable {
    /// The target's name, which is its folder's.
    var target: String
    /// The modules that its files may import; nil for a system library, which has no Swift files.
    var mayImport: [String]?
  }

  /// The rows, from the top.
  var rows: [Row] = []

  /// Reads the rows whose first column is a name in backticks. Other lines are prose.
  init(_ text: String) {
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let columns = line.split(separator: "|").map(Self.trimmed)
      guard columns.count == 3 else { continue }
      let target = columns[0].filter { $0 != "`" }
      rows.append(Row(target: target, mayImport: Self.modules(columns[2])))
    }
  }

  /// The row of a target; nil when the table lacks it.
  func row(of target: String) -> Row? { rows.first { $0.target == target } }

  private static func modules(_ column: String) -> [String]? {
    switch column {
    case "the C library": nil
    case "nothing": []
    default: column.split(separator: ",").map(trimmed)
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
