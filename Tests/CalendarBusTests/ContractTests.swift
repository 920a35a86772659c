import CalendarBus
import DBus
import TestSupport
import Testing

/// The folder of the contract's XML.
private let folder = checkoutDirectory + "/dbus"

private func text(of file: String) throws -> String {
  try String(decoding: #require(readFile(folder + "/" + file)), as: UTF8.self)
}

/// The text of the file of an interface.
private func text(of table: InterfaceTable) throws -> String { try text(of: "\(table.name).xml") }

/// Holds tables to tables: all that differs, in words.
private func differences(_ left: InterfaceTable, _ right: InterfaceTable) -> [String] {
  var found: [String] = []
  func compare<Part: Equatable>(_ one: [Part], _ other: [Part], _ kind: String) {
    if one != other { found.append("\(left.name): \(kind) \(one) against \(other)") }
  }
  compare([left.name], [right.name], "name")
  compare(left.methods, right.methods, "methods")
  compare(left.properties, right.properties, "properties")
  compare(left.signals, right.signals, "signals")
  return found
}

/// What the agent serves, and what bars do.
private let contract = Contract.tables + [Contract.barTable]

@Suite struct `The contract's tables and dbus/` {
  @Test(arguments: contract.map { "\($0.name).xml" } + ["README.md"])
  func `no text for people is promised in English`(file: String) throws {
    let written = try text(of: file).lowercased()
    for promise in ["of english", "in english", "english sentence", "english text"] {
      #expect(!written.contains(promise))
    }
  }

  @Test(arguments: contract.map(\.name))
  func `an interface is the same in code and XML, with names, types and annotations`(
    name: InterfaceName
  ) throws {
    let table = try #require(contract.first { $0.name == name })
    let file = try IntrospectionReader(text(of: table))
    #expect(file.interfaces.map(\.name) == [name])
    #expect(differences(table, try #require(file.interfaces.first)) == [])
  }

  @Test func `the comparison sees a change of any part`() throws {
    let table = Contract.transferTable
    let xml = try text(of: table)
    for (old, new) in [
      ("name=\"Import\"", "name=\"Importx\""), ("name=\"mode\"", "name=\"modus\""),
      ("type=\"h\"", "type=\"s\""), ("value=\"true\"", "value=\"false\""),
      ("type=\"a{su}\"", "type=\"a{sv}\""),
    ] {
      let changed = try IntrospectionReader(xml.replacing(old, with: new))
      #expect(try differences(table, #require(changed.interfaces.first)) != [], "\(old)")
    }
  }

  @Test(arguments: contract.map(\.name))
  func `each member and each of its arguments is explained in a comment before it`(
    name: InterfaceName
  ) throws {
    let table = try #require(contract.first { $0.name == name })
    let xml = try text(of: table)
    let members =
      table.methods.map { ($0.name, "method", $0.input + $0.output) }
      + table.signals.map { ($0.name, "signal", $0.arguments) }
      + table.properties.map { ($0.name, "property", []) }
    for (member, kind, arguments) in members {
      let place = try #require(xml.firstRange(of: "<\(kind) name=\"\(member)\""))
      let before = xml[..<place.lowerBound]
      let comment = try #require(before.split(separator: "<!--").last)
      #expect(comment.contains("\(member):"), "\(member)")
      // A short comment on one line may leave its arguments to their names.
      guard comment.contains("@\(arguments.first?.name ?? "")") else { continue }
      if comment.contains("@id is") || comment.contains("@due is") || comment.contains("@reason is")
      {
        continue
      }
      for argument in arguments { #expect(comment.contains("@\(argument.name)"), "\(member)") }
    }
  }

  /// "Since version 0.2" of a whole interface, and "since version 0.3" of what came later.
  @Test(arguments: contract.map(\.name))
  func `an interface and what was added to it say since which released or present version`(
    name: InterfaceName
  ) throws {
    func number(_ text: some StringProtocol) -> [Int] {
      text.split(separator: ".").compactMap { Int($0) }
    }
    func isBefore(_ left: [Int], _ right: [Int]) -> Bool { left.lexicographicallyPrecedes(right) }
    let xml = try text(of: #require(contract.first { $0.name == name }))
    let head = try #require(xml.firstRange(of: "<interface"))
    let own = try #require(
      xml[..<head.lowerBound].firstMatch(of: #/\n    Since version (\d+(?:\.\d+)+)\.\n/#))
    let since = number(own.output.1)
    let present = number(Contract.version)
    #expect(!isBefore(present, since))
    for match in xml[head.lowerBound...].matches(of: #/since version (\d+(?:\.\d+)+)/#) {
      #expect(isBefore(since, number(match.output.1)), "\(match.output.0)")
      #expect(!isBefore(present, number(match.output.1)), "\(match.output.0)")
    }
  }

  @Test func `the keys of rows and options are words with hyphens`() {
    for key in RowKey.allCases.map(\.rawValue) {
      #expect(key.wholeMatch(of: #/[a-z]+(?:-[a-z]+)*/#) != nil, "\(key)")
    }
  }

  @Test func `each key of a row or an option is documented, with a type that D-Bus has`() throws {
    let documented = try documentedKeys()
    let undocumented = RowKey.allCases.map(\.rawValue).filter { !documented.contains($0) }
    #expect(undocumented == [])
  }

  @Test func `each documented key is known to the code`() throws {
    let unknown = try documentedKeys().filter { RowKey(rawValue: $0) == nil }
    #expect(unknown.sorted() == [])
  }

  /// The words in quotation marks that a type follows.
  private func documentedKeys() throws -> Set<String> {
    var keys: Set<String> = []
    for table in contract {
      for match in try text(of: table).matches(
        of: #/"([a-z][a-z-]*)"(?:\s+and\s+"[a-z-]+")?\s+(?:a*\{s[vu]\}|a?[sxbuit])\b/#)
      {
        keys.insert(String(match.output.1))
      }
    }
    return keys
  }

  @Test func `each error name is documented, and each documented one is known`() throws {
    let readme = try text(of: "README.md")
    for kind in CallError.Kind.allCases { #expect(readme.contains("`\(kind.rawValue)`")) }
    for match in readme.matches(of: #/`(org\.datebook\.Calendar1\.Error\.[A-Za-z]+)`/#) {
      #expect(CallError.Kind(rawValue: String(match.output.1)) != nil, "\(match.output.1)")
    }
  }

  @Test func `the limits of the README are those of the code`() throws {
    let readme = try text(of: "README.md")
    #expect(
      readme.contains(
        "\(Contract.maximumText >> 20) MiB of text a call, \(Contract.maximumRows) rows an answer, "
          + "\(Contract.maximumImport >> 20) MiB an import"))
  }

  @Test func `there is no XML of an interface that is not served`() throws {
    for table in contract { #expect(readFile(folder + "/\(table.name).xml") != nil) }
    let listed = try Subprocess.run("ls", [folder]).output.split(separator: "\n")
      .filter { $0.hasSuffix(".xml") }.map { String($0.dropLast(4)) }
    #expect(listed.sorted() == contract.map(\.name.text).sorted())
  }

  @Test func `a signal's arguments have their names`() {
    #expect(
      Contract.argumentNames(ofSignal: "ReminderSnoozed", in: Contract.reminders)
        == ["id", "uid", "due"])
    #expect(Contract.argumentNames(ofSignal: "Nothing", in: Contract.reminders) == nil)
    #expect(Contract.argumentNames(ofSignal: "ReminderDue", in: "org.example.Other") == nil)
  }
}
