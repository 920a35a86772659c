import CivilTime

/// The TZIDs that components use, in order, each with the span for which its rules are needed.
struct ZoneUse {
  private(set) var ids: [String] = []
  private var spans: [String: TimeSpan] = [:]
  /// The last TZID, as octets: usually the next is the same.
  private var last: [UInt8] = []
  private var lastSpan: TimeSpan?
  /// One line, unfolded.
  private var line = Component()

  func contains(_ id: String) -> Bool { spans[id] != nil }

  /// The span from the first to the last instant in a zone.
  func span(of id: String) -> TimeSpan? { spans[id] }

  /// Records the TZIDs in a component.
  ///
  /// - Parameters:
  ///   - text: Canonical text.
  ///   - span: A span that contains the component's times.
  mutating func note(_ text: UnsafeBufferPointer<UInt8>, lying span: TimeSpan) {
    var position = 0
    while position < text.count {
      let start = position
      while position < text.count, text[position] != .colon, text[position] != .semicolon,
        text[position] != 0x0A
      {
        position += 1
      }
      // A line without parameters has no TZID.
      let parameters = position
      let hasParameters = position < text.count && text[position] == .semicolon
      position = text.lineBreak(from: position)
      let isFolded = isFold(text, at: position + 1)
      while isFold(text, at: position + 1) { position = text.lineBreak(from: position + 1) }
      defer { position += 1 }
      guard hasParameters else { continue }
      let plain =
        isFolded
        ? .unclear : zone(inPlain: UnsafeBufferPointer(rebasing: text[parameters..<position]))
      switch plain {
      case .none: break
      case .named(let id): note(id, span)
      case .unclear: noteLine(UnsafeBufferPointer(rebasing: text[start..<position]), span)
      }
    }
  }

  /// Records TZIDs in VCALENDAR properties, if no component uses them.
  ///
  /// - Parameter lines: Unfolded lines.
  mutating func note(linesOfHead lines: [String]) {
    var (text, use) = (lines.map { $0 + "\r\n" }.joined(), ZoneUse())
    text.withUTF8 { use.note($0, lying: .sinceZonesAreKnown) }
    for id in use.ids where spans[id] == nil {
      ids.append(id)
      spans[id] = use.spans[id]
    }
  }

  private func isFold(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
    position < text.count && (text[position] == 0x20 || text[position] == 0x09)
  }

  private enum PlainZone {
    case none
    case named(UnsafeBufferPointer<UInt8>)
    /// The line must be parsed in full.
    case unclear
  }

  /// Returns the TZID of a line without folds, a quick test that is nearly always enough.
  ///
  /// - Parameter text: The line from the first semicolon on.
  private func zone(inPlain text: UnsafeBufferPointer<UInt8>) -> PlainZone {
    let name: StaticString = "TZID"
    var zone = PlainZone.none
    var end = 0
    // A line without a colon is invalid.
    while true {
      let start = end + 1
      end = start
      var isQuoted = false
      while end < text.count, isQuoted || text[end] != .semicolon && text[end] != .colon {
        switch text[end] {
        case .quote: isQuoted.toggle()
        case 0x20 where !isQuoted, 0x09 where !isQuoted: return .unclear
        // Zimbra writes a quote in quotes as \".
        case .backslash: return .unclear
        default: break
        }
        end += 1
      }
      // Exchange writes such values; see ContentLine.
      let isAddress = end + 1 < text.count && text[end] == .colon && text[end + 1] == .slash
      if end == text.count || isAddress { return .unclear }
      let equals = start + name.utf8CodeUnitCount
      if case .none = zone, equals <= end,
        (start..<equals).allSatisfy({ text[$0].upperCased == name.utf8Start[$0 - start] })
      {
        if equals == end { return .unclear }
        if text[equals] == UInt8(ascii: "=") {
          let id = UnsafeBufferPointer(rebasing: text[(equals + 1)..<end])
          zone = id.contains(.quote) ? .unclear : .named(id)
        }
      }
      if text[end] == .colon { return zone }
    }
  }

  /// Records the TZID of one line with folds.
  private mutating func noteLine(_ folded: UnsafeBufferPointer<UInt8>, _ span: TimeSpan) {
    line.removeAll()
    var isAfterBreak = false
    for octet in folded {
      // Skip a line break and the space after it.
      if octet == 0x0D || octet == 0x0A {
        isAfterBreak = true
      } else if isAfterBreak {
        isAfterBreak = false
      } else {
        line.octets.append(octet)
      }
    }
    guard let content = ContentLine(line.octets, 0..<line.octets.count, number: 1),
      let range = line.parameter("TZID", of: content)
    else { return }
    line.octets[range].withUnsafeBufferPointer { note($0, span) }
  }

  private mutating func note(_ id: UnsafeBufferPointer<UInt8>, _ span: TimeSpan) {
    if let lastSpan, lastSpan == span, id.elementsEqual(last) { return }
    last.replaceSubrange(last.indices, with: id)
    lastSpan = span
    let id = String(decoding: id, as: UTF8.self)
    if let known = spans[id] {
      spans[id] = known.union(span)
    } else {
      spans[id] = span
      ids.append(id)
    }
  }
}

extension TimeSpan {
  /// Since 1970, when the rules of zones are reliable.
  fileprivate static let sinceZonesAreKnown = TimeSpan(start: Timestamp(seconds: 0), end: .latest)
}
