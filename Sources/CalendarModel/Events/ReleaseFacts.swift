/// What a media server says of a release: the properties X-DATEBOOK-STATE and X-DATEBOOK-QUALITY.
package struct ReleaseFacts: Hashable, Sendable {
  package let state: ReleaseState
  /// Such as "Bluray-1080p"; "" if nothing is there or the server does not say.
  package let quality: String

  package init(state: ReleaseState, quality: String = "") {
    self.state = state
    self.quality = quality
  }

  /// Reads them from the lines of a component; nil if it has no known state.
  fileprivate init?(lines: [Substring]) {
    func value(_ name: String) -> Substring? {
      lines.first { $0.hasPrefix(name) }?.dropFirst(name.count)
    }
    guard let state = value(ReleaseFacts.state).flatMap({ ReleaseState(rawValue: String($0)) })
    else { return nil }
    self.init(state: state, quality: unescaped(value(ReleaseFacts.quality) ?? ""))
  }

  fileprivate static let state = "X-DATEBOOK-STATE:"
  fileprivate static let quality = "X-DATEBOOK-QUALITY:"
  /// What both names begin with.
  fileprivate static let prefix = Array("\nX-DATEBOOK-".utf8)

  /// Whether the quality contains a text; case does not count.
  package func hasQuality(_ text: String) -> Bool {
    let (part, whole) = (Array(text.lowercased().utf8), Array(quality.lowercased().utf8))
    guard part.count <= whole.count else { return false }
    return (0...whole.count - part.count).contains { whole[$0...].starts(with: part) }
  }
}

extension Event {
  /// What a media server says of it; nil for an event that is not a release.
  ///
  /// It is read from ``component`` each time. That costs other events nearly nothing: a release
  /// takes up no time and does not recur.
  package var release: ReleaseFacts? {
    let lines = releaseLines
    return lines.isEmpty ? nil : ReleaseFacts(lines: lines)
  }

  /// The lines of ``component`` that ``release`` needs, each with its end; "" for other events.
  ///
  /// As ``component`` of a copy they give the same ``release``.
  package var releaseText: String {
    releaseLines.map { $0 + "\r\n" }.joined()
  }

  private var releaseLines: [Substring] {
    guard !isBusy, recurrenceID == nil, !component.isEmpty, !recurrence.isRecurring,
      mentionsRelease
    else { return [] }
    var lines: [Substring] = []
    for line in component.split(separator: "\r\n") {
      if line.utf8.first == UInt8(ascii: " "), !lines.isEmpty {
        lines[lines.count - 1] += Substring(line.unicodeScalars.dropFirst())
      } else {
        lines.append(line)
      }
    }
    return lines.filter { $0.hasPrefix(ReleaseFacts.state) || $0.hasPrefix(ReleaseFacts.quality) }
  }

  /// A quick test, since most events are something else.
  private var mentionsRelease: Bool {
    if component.hasPrefix(ReleaseFacts.state) { return true }
    var (matched, found) = (0, false)
    for octet in component.utf8 {
      if octet == ReleaseFacts.prefix[matched] {
        matched += 1
        found = matched == ReleaseFacts.prefix.count
        if found { break }
      } else {
        matched = octet == ReleaseFacts.prefix[0] ? 1 : 0
      }
    }
    return found
  }
}

/// Returns a TEXT without its escapes; a line break becomes a space.
///
/// Source: RFC 5545 section 3.3.11.
private func unescaped(_ text: Substring) -> String {
  var result = ""
  var isEscaped = false
  for character in text {
    if isEscaped {
      result.append(character == "n" || character == "N" ? " " : character)
      isEscaped = false
    } else if character == "\\" {
      isEscaped = true
    } else {
      result.append(character)
    }
  }
  return result
}
