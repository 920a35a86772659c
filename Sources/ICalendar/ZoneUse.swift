import CivilTime

/// The TZIDs that components name, in the order in which they first do, each with
/// the span for which its rules are needed.
struct ZoneUse {
  private(set) var ids: [String] = []
  private var spans: [String: TimeSpan] = [:]
  /// The TZID found last, as octets: mostly it is the same again.
  private var last: [UInt8] = []
  private var lastSpan: TimeSpan?
  /// One line, unfolded.
  private var line = Component()

  func contains(_ id: String) -> Bool { spans[id] != nil }

  /// From the first to the last instant that is placed with a zone.
  func span(of id: String) -> TimeSpan? { spans[id] }

  /// Takes note of the TZIDs in a component.
  ///
  /// - Parameters:
  ///   - text: Canonical text.
  ///   - span: In which the times of the component lie.
  mutating func note(_ text: UnsafeBufferPointer<UInt8>, lying span: TimeSpan) {
    var position = 0
    while position < text.count {
      let start = position
      while position < text.count, text[position] != .colon, text[position] != .semicolon,
        text[position] != 0x0A
      {
        position += 1
      }
      // A line without parameters names no zone.
      let hasParameters = position < text.count && text[position] == .semicolon
      while position < text.count, text[position] != 0x0A || isFold(text, at: position + 1) {
        position += 1
      }
      if hasParameters {
        note(UnsafeBufferPointer(rebasing: text[start..<position]), span)
      }
      position += 1
    }
  }

  private func isFold(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
    position < text.count && (text[position] == 0x20 || text[position] == 0x09)
  }

  /// Looks into one line with its folds.
  private mutating func note(_ folded: UnsafeBufferPointer<UInt8>, _ span: TimeSpan) {
    line.removeAll()
    var isAfterBreak = false
    for octet in folded {
      // A break of the line, and the blank that follows it.
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
    let octets = line.octets[range]
    if let lastSpan, lastSpan == span, octets.elementsEqual(last) { return }
    last = Array(octets)
    lastSpan = span
    let id = line.string(range)
    if let known = spans[id] {
      spans[id] = known.union(span)
    } else {
      spans[id] = span
      ids.append(id)
    }
  }
}
