import Testing

@Suite struct `Folders of the checkout` {
  let checkout = Checkout.here

  @Test func `each target of the table has its folder, and each folder of Sources its row`() throws
  {
    let table = TargetTable(try checkout.text(of: "Sources/README.md"))
    let folders = try checkout.names(in: "Sources").filter { checkout.isFolder("Sources/" + $0) }
    #expect(folders == table.rows.map(\.target).sorted())
  }

  @Test func `Sources holds folders and their map, nothing else`() throws {
    let files = try checkout.names(in: "Sources").filter { !checkout.isFolder("Sources/" + $0) }
    #expect(files == ["README.md"])
  }

  @Test(arguments: ["Sources", "Tests"])
  func `a folder has 30 files at most`(of root: String) throws {
    let files = try checkout.swiftFiles(below: root)
    let folders = Dictionary(grouping: files) { $0[..<($0.lastIndex(of: "/") ?? $0.endIndex)] }
    #expect(folders.filter { $0.value.count > 30 }.map(\.key) == [])
  }

  @Test func `the folders of a test target are those of what it tests, and a few of its own`()
    throws
  {
    let own: Set = [
      "Support", "Conformance", "Oracles", "Corpus", "Golden", "Schemas", "ImportedVersions",
      "SimulatedYear",
    ]
    func folders(_ path: String) throws -> Set<String> {
      guard checkout.isFolder(path) else { return [] }
      return Set(try checkout.names(in: path).filter { checkout.isFolder("\(path)/\($0)") })
    }
    let tested = [
      "CalctlTests": "CalctlCommands", "AgentReminderTests": "CalendarService",
      "AgentExchangeTests": "CalendarService",
    ]
    for tests in try folders("Tests") where tests.hasSuffix("Tests") && tests != "LayoutTests" {
      let target = tested[tests] ?? String(tests.dropLast(5))
      let others = try folders("Tests/" + tests).subtracting(try folders("Sources/" + target))
      #expect(others.subtracting(own) == [], "\(tests)")
    }
  }

  @Test func `the top level holds what it is meant to hold`() throws {
    let allowed: Set = [
      "CHANGELOG.md", "LICENSE", "Package.resolved", "Package.swift", "README.md",
      "README.zh-CN.md", "Sources", "Tests", "dbus", "packaging",
    ]
    for name in try checkout.names(in: ".") where !name.hasPrefix(".") {
      #expect(allowed.contains(name), "\(name) does not belong at the top")
    }
    for name in ["CHANGELOG.md", "LICENSE", "Package.swift", "README.md", "README.zh-CN.md"] {
      #expect(try checkout.names(in: ".").contains(name))
    }
  }

  @Test func `each file of dbus is one interface, named after it`() throws {
    for name in try checkout.names(in: "dbus") where name.hasSuffix(".xml") {
      let text = try checkout.text(of: "dbus/" + name)
      #expect(text.contains("<interface name=\"\(name.dropLast(4))\">"), "\(name)")
      #expect(text.ranges(of: "<interface ").count == 1, "\(name)")
    }
  }
}
