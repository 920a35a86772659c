import CalendarBus
import DBus
import TestSupport

/// A method and an error that dbus/*.xml says it can answer with.
struct DocumentedError: Hashable, Sendable, CustomStringConvertible {
  /// "Events.Get"; of the main interface the member alone, as ``Refused`` has it.
  let member: String
  let kind: CallError.Kind

  var description: String { "\(member): \(kind.rawValue.split(separator: ".").last ?? "")" }
}

/// What the comments of dbus/*.xml say after "Errors:", method by method.
enum DocumentedErrors {
  /// Every pair, in the order of the files.
  static func all() throws -> [DocumentedError] {
    var found: [DocumentedError] = []
    for table in Contract.tables {
      let name = table.name.text
      let prefix =
        name == Contract.calendar.text ? "" : String(name.split(separator: ".").last!) + "."
      let sentences = try self.sentences(of: name)
      for method in table.methods.map(\.name.text) {
        for kind in CallError.Kind.allCases where kinds(of: method, sentences).contains(kind) {
          found.append(DocumentedError(member: prefix + method, kind: kind))
        }
      }
    }
    return found
  }

  /// What is said of each method's errors.
  private static func sentences(of interface: String) throws -> [String: String] {
    let folder = checkoutDirectory + "/dbus/"
    guard let octets = readFile(folder + interface + ".xml") else {
      throw TestSupportError("there is no XML of \(interface)")
    }
    var found: [String: String] = [:]
    for match in String(decoding: octets, as: UTF8.self)
      .matches(of: #/<!--((?:(?!-->)(?:.|\n))*)-->\s*<method name="(\w+)"/#)
    {
      let comment = String(match.output.1)
      guard let errors = comment.firstRange(of: "Errors:") else { continue }
      found[String(match.output.2)] = String(comment[errors.upperBound...])
    }
    return found
  }

  /// The errors of a method, with those of another one that it refers to: "as of Add", "as of
  /// QuickAdd but ReadOnly and StorageFailed".
  private static func kinds(
    of method: String, _ sentences: [String: String]
  ) -> Set<CallError.Kind> {
    guard let text = sentences[method] else { return [] }
    // What stands in parentheses is when, and may name another method.
    let plain = text.replacing(#/\([^)]*\)/#, with: "")
    var named = Set(
      CallError.Kind.allCases.filter { kind in
        let word = String(kind.rawValue.split(separator: ".").last ?? "")
        return plain.split { !$0.isLetter }.contains { $0 == word }
      })
    guard let other = plain.firstMatch(of: #/as of (\w+)(\s+but\s+[^;.]*)?/#) else { return named }
    var others = kinds(of: String(other.output.1), sentences)
    if let exceptions = other.output.2 {
      let without = others.filter {
        exceptions.contains(String($0.rawValue.split(separator: ".").last ?? ""))
      }
      others.subtract(without)
      named.subtract(without)
    }
    return named.union(others)
  }
}
