import Testing

@Suite struct `Package swift` {
  let manifest: Manifest
  let table: TargetTable

  init() throws {
    manifest = Manifest(try Checkout.here.text(of: "Package.swift"))
    table = TargetTable(try Checkout.here.text(of: "Sources/README.md"))
  }

  @Test func `its targets are those of the table`() {
    let targets = Array(manifest.sources.keys) + manifest.systemLibraries
    #expect(targets.sorted() == table.rows.map(\.target).sorted())
  }

  @Test func `a target depends on what the table lets it import`() throws {
    for (target, dependencies) in manifest.sources {
      let row = try #require(table.row(of: target), "\(target) is not in the table")
      // The C library comes with Swift and is declared nowhere.
      let allowed = (row.mayImport ?? []).filter { $0 != "Glibc" }
      #expect(dependencies.sorted() == allowed.sorted(), "\(target)")
    }
  }

  @Test func `each target has the settings of the house`() {
    #expect(manifest.callsWithoutHouse == [])
    for setting in [
      "swiftLanguageMode(.v6)", "treatAllWarnings(as: .error)", "\"ExistentialAny\"",
      "\"InternalImportsByDefault\"", "\"MemberImportVisibility\"",
      "\"NonisolatedNonsendingByDefault\"",
    ] {
      #expect(manifest.house.contains(setting), "\(setting)")
    }
  }
}

@Suite struct `Reading a manifest` {
  let text = """
    let house: [SwiftSetting] = [
      .swiftLanguageMode(.v6)
    ]
    func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
      .target(name: name, dependencies: dependencies, swiftSettings: house)
    }
    let targets = [
      library("One"),
      library(
        "Two", ["One", "CThree"]),
      .systemLibrary(name: "CThree", providers: [.apt(["three-dev"])]),
      .testTarget(name: "TwoTests", dependencies: ["Two"]),
    ]
    """

  @Test func `targets come with their dependencies`() {
    let manifest = Manifest(text)
    #expect(manifest.sources == ["One": [], "Two": ["One", "CThree"]])
    #expect(manifest.systemLibraries == ["CThree"])
    #expect(manifest.house.contains(".swiftLanguageMode(.v6)"))
  }

  @Test func `a target without the settings of the house is named`() {
    #expect(Manifest(text).callsWithoutHouse.count == 1)
    #expect(Manifest(text).callsWithoutHouse.first?.contains("TwoTests") == true)
  }
}
