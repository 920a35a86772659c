import CLinux
import Platform
import Testing

@Suite struct `The catalogue of messages` {
  // In the encoding of "C", the letters of most languages become question marks.
  @Test func `the C library's reasons come in UTF-8`() {
    _ = MessageCatalogue.language
    let codeset = bind_textdomain_codeset("libc", nil).map { String(cString: $0) }
    #expect(codeset == "UTF-8")
  }
}
