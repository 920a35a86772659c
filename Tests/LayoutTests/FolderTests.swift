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

  @Test func `a folder of Sources has 30 files at most`() throws {
    let files = try checkout.swiftFiles(below: "Sources")
    let folders = Dictionary(grouping: files) { $0[..<($0.lastIndex(of: "/") ?? $0.endIndex)] }
    #expect(folders.filter { $0.value.count > 30 }.map(\.key) == [])
  }

  @Test func `the top level holds what it is meant to hold`() throws {
    let allowed: Set = [
      "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Package.resolved", "Package.swift",
      "README.md",
      "SECURITY.md", "Sources", "Tests", "dbus", "packaging",
    ]
    for name in try checkout.names(in: ".") where !name.hasPrefix(".") {
      #expect(allowed.contains(name), "\(name) does not belong at the top")
    }
    for name in ["CHANGELOG.md", "LICENSE", "Package.swift", "README.md"] {
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
