import CExpat
import Platform
import Sync

/// Reads an XML document as it arrives, over expat.
///
/// It hands out each child of the root as a small tree, and forgets it. What it has handed out must
/// not be used before ``finish()``, which throws if the document is not whole.
///
/// - Any DOCTYPE is refused, and entities with it: servers send none, and web pages begin with one.
/// - Control characters that XML forbids are dropped, since items of careless programs have them.
final class XMLStream {
  /// The name of the root; nil before it has come.
  private(set) var root: String?
  private let parser: XML_Parser
  private let each: (XMLElement) -> Void
  /// The elements that are open below the root.
  private var open: [XMLElement] = []
  private var isRootClosed = false
  private var failure: RemoteFailure?

  /// Deeper documents are refused; real ones have about ten levels.
  private static let maximumDepth = 50

  /// - Parameter each: gets the children of the root, in order.
  init(each: @escaping (XMLElement) -> Void) {
    // 124 is the bar between a namespace and a name.
    guard let parser = XML_ParserCreateNS(nil, 124) else {
      preconditionFailure("there is no memory left")
    }
    self.parser = parser
    self.each = each
    setHandlers()
  }

  deinit { XML_ParserFree(parser) }

  /// Reads the whole document of some octets.
  ///
  /// - Throws: as ``finish()``.
  static func read(
    _ octets: [UInt8], each: @escaping (XMLElement) -> Void
  ) throws(RemoteFailure) -> String? {
    let stream = XMLStream(each: each)
    octets.withUnsafeBytes { _ = stream.feed($0) }
    try stream.finish()
    return stream.root
  }

  /// Takes the next octets; false once nothing more is wanted, since it has failed.
  func feed(_ octets: UnsafeRawBufferPointer) -> Bool {
    guard failure == nil else { return false }
    if octets.contains(where: Self.isForbidden) {
      return Array(octets.filter { !Self.isForbidden($0) }).withUnsafeBytes { parse($0) }
    }
    return parse(octets)
  }

  /// Ends the document.
  ///
  /// - Throws: ``RemoteFailure/Kind/offline`` if it broke off, ``RemoteFailure/Kind/malformed`` if
  ///   it is no XML that servers send.
  func finish() throws(RemoteFailure) {
    if failure == nil, XML_Parse(parser, nil, 0, 1) == XML_STATUS_ERROR { fail() }
    if let failure { throw failure }
  }

  private func parse(_ octets: UnsafeRawBufferPointer) -> Bool {
    let text = octets.assumingMemoryBound(to: CChar.self).baseAddress
    if XML_Parse(parser, text, Int32(octets.count), 0) == XML_STATUS_ERROR { fail() }
    return failure == nil
  }

  private func fail() {
    guard failure == nil else { return }
    let code = XML_GetErrorCode(parser)
    let brokeOff = [
      XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR,
      XML_ERROR_UNCLOSED_CDATA_SECTION,
    ]
    failure =
      if root != nil, !isRootClosed, brokeOff.contains(code) {
        RemoteFailure(.offline, localized("The answer of the server broke off."))
      } else {
        RemoteFailure(.malformed, localized("The answer of the server is not valid XML."))
      }
  }

  /// Control characters; none of these octets is part of another character in UTF-8.
  private static func isForbidden(_ octet: UInt8) -> Bool {
    octet < 0x20 && octet != 0x09 && octet != 0x0A && octet != 0x0D
  }
}

// MARK: What expat calls

extension XMLStream {
  private func setHandlers() {
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { context, name, attributes in
        guard let name else { return }
        var found: [String: String] = [:]
        // Names and values take turns; a null pointer ends them.
        var place = attributes
        while let name = place?[0], let value = place?[1] {
          found[String(cString: name)] = String(cString: value)
          place = place?.advanced(by: 2)
        }
        XMLStream.of(context)?.begin(String(cString: name), found)
      }, { context, _ in XMLStream.of(context)?.end() })
    XML_SetCharacterDataHandler(parser) { context, text, count in
      let octets = UnsafeRawBufferPointer(start: text, count: Int(count))
      XMLStream.of(context)?.add(octets)
    }
    XML_SetStartDoctypeDeclHandler(parser) { context, name, _, _, _ in
      guard let name else { return }
      XMLStream.of(context)?.refuseDoctype(String(cString: name))
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLStream? {
    context.map { Unmanaged<XMLStream>.fromOpaque($0).takeUnretainedValue() }
  }

  private func begin(_ name: String, _ attributes: [String: String]) {
    guard root != nil else {
      root = name
      return
    }
    guard open.count < Self.maximumDepth else {
      return stop(localized("The answer of the server is nested too deep."))
    }
    open.append(XMLElement(name: name, attributes: attributes))
  }

  private func end() {
    guard let element = open.popLast() else {
      isRootClosed = true
      return
    }
    if open.isEmpty {
      each(element)
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  private func add(_ text: UnsafeRawBufferPointer) {
    guard !open.isEmpty else { return }
    open[open.count - 1].text += String(decoding: text, as: UTF8.self)
  }

  private func refuseDoctype(_ name: String) {
    stop(
      name.lowercased() == "html"
        ? localized("The server answered with a web page, such as one for signing in.")
        : localized("The answer of the server has a DOCTYPE, which is refused."))
  }

  private func stop(_ reason: String) {
    failure = RemoteFailure(.malformed, reason)
    XML_StopParser(parser, 0)
  }
}
