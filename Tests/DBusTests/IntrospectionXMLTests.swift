import DBus
import TestSupport
import Testing

@Suite struct `Introspection XML` {
  @Test func `a table reads back as it was written`() throws {
    let text = IntrospectionXML.text([SampleService.table], children: ["a", "b"])
    let read = try IntrospectionReader(text)
    #expect(read.interfaces == [SampleService.table])
    #expect(read.children == ["a", "b"])
  }

  @Test func `marks of XML in an annotation are escaped`() throws {
    let table = InterfaceTable(
      "org.example.A",
      methods: [.init("M", annotations: [.init("org.example.Note", "<a & \"b\">")])])
    let text = IntrospectionXML.text([table])
    #expect(text.contains("&lt;a &amp; &quot;b&quot;&gt;"))
    #expect(try IntrospectionReader(text).interfaces == [table])
  }

  @Test func `comments are passed over`() throws {
    let text = """
      <node name="/x"><!-- <interface> -->
        <interface name="org.example.A"><!-- M: --><method name="M"/></interface>
      </node>
      """
    #expect(
      try IntrospectionReader(text).interfaces == [
        InterfaceTable("org.example.A", methods: [.init("M")])
      ])
  }

  @Test(arguments: [
    "", "<node>", "<node></nod>", "<node/><node/>", "<node>text</node>",
    "<node><interface/></node>", "<node><interface name=\"a.b\" x=\"y\"/></node>",
    "<node><interface name=\"ab\"/></node>",
    "<node><interface name=\"a.b\"><method name=\"M\"><arg type=\"s\" direction=\"in\"/></method></interface></node>",
    "<node><interface name=\"a.b\"><method name=\"M\"><arg name=\"x\" type=\"s\"/></method></interface></node>",
    "<node><interface name=\"a.b\"><property name=\"P\" type=\"s\" access=\"readwrite\"/></interface></node>",
    "<node><interface name=\"a.b\"><signal name=\"S\"><arg name=\"x\" type=\"z\"/></signal></interface></node>",
    "<node name=\"&nbsp;\"/>",
  ])
  func `a document that is not quite right is refused`(_ text: String) {
    #expect(throws: TestSupportError.self) { try IntrospectionReader(text) }
  }
}
