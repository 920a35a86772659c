import TestSupport
import Testing

@Suite struct `Texts for people` {
  @Test func `the template of the catalogue has each text of the sources`() throws {
    let checkout = Checkout.here
    let extracted = try Subprocess.run("python3", [checkout.root + "/packaging/po/extract"])
    #expect(extracted.errors == "")
    #expect(
      try checkout.text(of: "packaging/po/datebook.pot") == extracted.output,
      "run packaging/po/extract > packaging/po/datebook.pot")
  }
}
