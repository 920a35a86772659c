import DBus
import Testing

/// Source: D-Bus Specification, "Type System".
@Suite struct `Signatures` {
  @Test(arguments: ["", "s", "a{sv}", "aa{sv}", "a(xx)", "(i(as)v)", "ybnqiuxtdsogh"])
  func `a signature is taken`(_ text: String) throws { #expect(try Signature(text).text == text) }

  @Test(arguments: [
    "a", "()", "(", ")", "a{}", "a{s}", "a{vs}", "{sv}", "a{ssv}", "z", "(s", "a{sv", "sa", "}",
  ])
  func `text that is no signature is refused`(_ text: String) {
    #expect(throws: DBusError.self) { try Signature(text) }
  }

  @Test func `arrays nest 32 deep and no deeper`() throws {
    #expect(Signature.isValid(String(repeating: "a", count: 32) + "s"))
    #expect(!Signature.isValid(String(repeating: "a", count: 33) + "s"))
    let open = String(repeating: "(", count: 33)
    #expect(!Signature.isValid(open + "s" + String(repeating: ")", count: 33)))
  }

  @Test func `a signature falls into its complete types`() {
    #expect(Signature("sa{sv}(xx)u").completeTypes == ["s", "a{sv}", "(xx)", "u"])
  }

  @Test func `a type has a name in words`() {
    #expect(Signature("u").inWords == "u (uint32)")
    #expect(Signature("a{sv}").inWords == "a{sv} (dictionary)")
    #expect(Signature("as").inWords == "as (array)")
  }
}
