/// Folding and ending lines.
///
/// Source: RFC 5545 section 3.1.

/// The most octets of a line, its end not counted.
private let maximumOctets = 75

/// Adds a content line to `output`, folded at 75 octets but never inside a
/// character or after an "=", with CRLF at the end.
func appendFolded(_ line: ArraySlice<UInt8>, to output: inout [UInt8]) {
  var rest = line
  var room = maximumOctets
  while rest.count > room {
    var cut = rest.startIndex + room
    // Octets of the form 10xxxxxx go on with a character.
    while cut > rest.startIndex, rest[cut] & 0xC0 == 0x80 { cut -= 1 }
    // Text that is no UTF-8 is cut anywhere rather than never.
    if cut == rest.startIndex { cut = rest.startIndex + room }
    let widest = cut
    // An "=" at the end of a line looks like the soft break of quoted-printable text.
    while let equals = rest.equalsSign(before: cut) { cut = equals }
    // So is a line of nothing but "=".
    if cut == rest.startIndex { cut = widest }
    output.append(contentsOf: rest[..<cut])
    output.append(contentsOf: [0x0D, 0x0A, 0x20])
    rest = rest[cut...]
    // The blank counts.
    room = maximumOctets - 1
  }
  output.append(contentsOf: rest)
  output.append(0x0D)
  output.append(0x0A)
}

extension ArraySlice<UInt8> {
  /// The place of an "=" that stands before this one, with nothing but blanks between them.
  fileprivate func equalsSign(before place: Int) -> Int? {
    var position = place
    while position > startIndex, self[position - 1] == 0x20 || self[position - 1] == 0x09 {
      position -= 1
    }
    return position > startIndex && self[position - 1] == UInt8(ascii: "=") ? position - 1 : nil
  }
}

/// Adds a content line that is text.
func appendFolded(_ line: String, to output: inout [UInt8]) {
  appendFolded(Array(line.utf8)[...], to: &output)
}

extension Component {
  /// Adds the component as it was read: the same lines in the same order, each
  /// folded anew and ended with CRLF.
  func appendCanonicalText(to output: inout [UInt8]) {
    // Lines that follow each other and need no fold are copied together.
    var run = 0..<0
    for line in lines {
      let range = line.range
      if range.count <= maximumOctets {
        if range.lowerBound == run.upperBound {
          run = run.lowerBound..<range.upperBound + 2
          continue
        }
        output.append(contentsOf: octets[run])
        run = range.lowerBound..<range.upperBound + 2
      } else {
        output.append(contentsOf: octets[run])
        appendFolded(octets[range], to: &output)
        run = range.upperBound + 2..<range.upperBound + 2
      }
    }
    output.append(contentsOf: octets[run])
  }

  /// The component as it was read, folded anew.
  var canonicalText: String {
    var output: [UInt8] = []
    output.reserveCapacity(octets.count + octets.count / 16)
    appendCanonicalText(to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Inserts a line after the BEGIN of the component.
  mutating func insertLine(_ text: String) {
    let start = octets.count
    octets.append(contentsOf: text.utf8)
    let number = lines.first?.number ?? 1
    if let line = ContentLine(octets, start..<octets.count, number: number) {
      lines.insert(line, at: min(1, lines.count))
    }
    endLine()
  }
}
