import DBus
import Testing

/// Source: D-Bus Specification, "Valid Names".
@Suite struct `Names` {
  @Test(arguments: ["a.b", "org.datebook.Calendar1", ":1.42", "a-b.c-d", "_.a1"])
  func `a bus name is taken`(_ text: String) throws { #expect(try BusName(text).text == text) }

  @Test(arguments: ["", "a", ".a", "a.", "a..b", "1a.b", "a.1b", ":", "a b.c", "a.b\0", "ä.b"])
  func `text that is no bus name is refused`(_ text: String) {
    #expect(throws: DBusError.self) { try BusName(text) }
  }

  @Test(arguments: ["a", "a-b.c", ":1.2", "a.2"])
  func `text that is no interface name is refused`(_ text: String) {
    #expect(throws: DBusError.self) { try InterfaceName(text) }
  }

  @Test(arguments: ["", "a.b", "1a", "a-b", "a b"])
  func `text that is no member name is refused`(_ text: String) {
    #expect(throws: DBusError.self) { try MemberName(text) }
  }

  @Test func `a name of more than 255 octets is refused`() throws {
    #expect(try MemberName(String(repeating: "a", count: 255)).text.utf8.count == 255)
    #expect(throws: DBusError.self) { try MemberName(String(repeating: "a", count: 256)) }
  }

  @Test func `a refusal says the text and the kind`() {
    let text = "x"
    #expect(throws: DBusError(.invalidArgs, "“x” is not a valid bus name")) { try BusName(text) }
  }
}

@Suite struct `Object paths` {
  @Test(arguments: ["/", "/a", "/org/datebook/Calendar1", "/1/_"])
  func `an object path is taken`(_ text: String) throws {
    #expect(try ObjectPath(text).text == text)
  }

  @Test(arguments: ["", "a", "/a/", "//", "/a//b", "/a-b", "/a b", "/ä"])
  func `text that is no object path is refused`(_ text: String) {
    #expect(throws: DBusError.self) { try ObjectPath(text) }
  }

  @Test func `the next step from a path to one below is known`() {
    #expect(ObjectPath.root.child(towards: "/org/datebook") == "org")
    #expect(ObjectPath("/org").child(towards: "/org/datebook/Calendar1") == "datebook")
    #expect(ObjectPath("/org").child(towards: "/organ/x") == nil)
    #expect(ObjectPath("/org").child(towards: "/org") == nil)
  }
}
