import Testing

@Suite struct `Imports of the sources` {
  let checkout = Checkout.here

  @Test func `each file imports only what the table of Sources/README md allows its target`() throws
  {
    let table = TargetTable(try checkout.text(of: "Sources/README.md"))
    for row in table.rows {
      guard let allowed = row.mayImport else { continue }
      for file in try checkout.swiftFiles(below: "Sources/" + row.target) {
        for module in SourceText.importedModules(in: try checkout.text(of: file)) {
          #expect(allowed.contains(module), "\(file) imports \(module)")
        }
      }
    }
  }

  @Test func `a C library has one wall, the only target that may import it`() throws {
    let table = TargetTable(try checkout.text(of: "Sources/README.md"))
    let libraries = table.rows.filter { $0.mayImport == nil }.map(\.target)
    #expect(libraries.contains("CSQLite") && libraries.contains("CDBus"))
    for library in libraries + ["Glibc"] {
      let importers = table.rows.filter { $0.mayImport?.contains(library) == true }.map(\.target)
      #expect(importers.count == 1, "\(library) may be imported by \(importers)")
    }
  }

  @Test func `Foundation and Dispatch are imported nowhere, in the tests neither`() throws {
    let files =
      try checkout.swiftFiles(below: "Sources") + checkout.swiftFiles(below: "Tests")
    #expect(files.count > 20)
    for file in files {
      for module in SourceText.importedModules(in: try checkout.text(of: file)) {
        #expect(
          !module.hasPrefix("Foundation") && module != "Dispatch", "\(file) imports \(module)")
      }
    }
  }

  @Test func `nothing in the sources is public, since nothing outside the package links them`()
    throws
  {
    for file in try checkout.swiftFiles(below: "Sources") {
      for line in try checkout.text(of: file).split(separator: "\n") {
        #expect(!SourceText.isPublic(line), "\(file): \(line)")
      }
    }
  }
}

@Suite struct `Reading an import line` {
  struct Case: CustomTestStringConvertible {
    var line: Substring
    var module: String?
    var testDescription: String { String(line) }
  }

  @Test(arguments: [
    Case(line: "import Glibc", module: "Glibc"),
    Case(line: "package import CivilTime", module: "CivilTime"),
    Case(line: "  @preconcurrency internal import Foundation  // for once", module: "Foundation"),
    Case(line: "@testable import struct Recurrence.Rule", module: "Recurrence"),
    Case(line: "import FoundationEssentials;", module: "FoundationEssentials"),
    Case(line: "// import Foundation", module: nil),
    Case(line: "/// import Foundation", module: nil),
    Case(line: "let important = 1", module: nil),
    Case(line: "func `import`(_ file: Int32) {", module: nil),
  ])
  func `the module is found behind attributes, access levels and kinds`(_ each: Case) {
    #expect(SourceText.importedModule(in: each.line) == each.module)
  }
}
