import Sync
import Testing

@testable import Remotes

@Suite struct `Reading XML` {
  private func read(_ text: String, by size: Int = .max) throws -> [XMLElement] {
    var found: [XMLElement] = []
    let stream = XMLStream { found.append($0) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let chunk = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      guard chunk.withUnsafeBytes({ stream.feed($0) }) else { break }
    }
    try stream.finish()
    return found
  }

  private func failure(_ text: String) -> RemoteFailure.Kind? {
    #expect(throws: RemoteFailure.self) { try read(text) }?.kind
  }

  private let sample = """
    <?xml version="1.0"?>
    <a:r xmlns:a="DAV:" xmlns="urn:x"><a:one> é&amp;<![CDATA[<z>]]> </a:one>\
    <two name="N"><three/></two></a:r>
    """

  @Test(arguments: [1, 2, 7, 1000])
  func `the children of the root come with their namespace, however the text is cut`(_ size: Int)
    throws
  {
    let found = try read(sample, by: size)
    #expect(found.map(\.name) == ["DAV:|one", "urn:x|two"])
    #expect(found[0].text == " é&<z> ")
    #expect(found[1].attributes == ["name": "N"])
    #expect(found[1].has("urn:x|three"))
  }

  @Test(arguments: [
    "<!DOCTYPE html><html><body>Sign in</body></html>",
    "<!DOCTYPE r [<!ENTITY a \"aaaa\">]><r>&a;</r>",
  ])
  func `a DOCTYPE is refused`(_ text: String) {
    #expect(failure(text) == .malformed)
  }

  @Test func `what breaks off may be repeated`() {
    for count in [65, 80, 90, sample.utf8.count - 1] {
      #expect(failure(String(decoding: sample.utf8.prefix(count), as: UTF8.self)) == .offline)
    }
  }

  @Test(arguments: ["<r/><r/>", "<r><a></b></r>", "", "no XML", "<r>\u{FFFF}</r>", "<r>&nbsp;</r>"])
  func `what is no XML is malformed`(_ text: String) {
    #expect(failure(text) == .malformed)
  }

  @Test func `control characters are dropped`() throws {
    #expect(try read("<r><a>x\u{0}\u{8}\u{B}\u{C}\u{1F}\ty\n</a></r>").map(\.text) == ["x\ty\n"])
  }

  @Test func `elements without end in each other are refused`() {
    #expect(failure(String(repeating: "<a>", count: 100_000)) == .malformed)
  }

  @Test func `text is escaped so that it comes back, but for control characters`() throws {
    let text = "a<b>&\"é\u{1}"
    let found = try read("<r><a>\(text.xmlEscaped)</a></r>")
    #expect(found.map(\.text) == ["a<b>&\"é"])
  }
}
