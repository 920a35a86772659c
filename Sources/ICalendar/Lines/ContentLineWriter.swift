/// The most octets in a line, without its line break.
///
/// Source: RFC 5545 section 3.1.
private let maximumOctets = 75

/// Adds a content line with CRLF, folded at 75 octets.
///
/// It is never folded inside a character or after an "=".
func appendFolded(_ line: ArraySlice<UInt8>, to output: inout [UInt8]) {
  var rest = line
  var room = maximumOctets
  while rest.count > room {
    var cut = rest.startIndex + room
    // Octets of the form 10xxxxxx continue a character.
    while cut > rest.startIndex, rest[cut] & 0xC0 == 0x80 { cut -= 1 }
    // Text that is not valid UTF-8 may be cut anywhere.
    if cut == rest.startIndex { cut = rest.startIndex + room }
    let widest = cut
    // An "=" at the end of a line looks like a soft line break of quoted-printable text.
    while let equals = rest.equalsSign(before: cut) { cut = equals }
    // A line of nothing but "=" is cut anyway.
    if cut == rest.startIndex { cut = widest }
    output.append(contentsOf: rest[..<cut])
    output.append(contentsOf: [0x0D, 0x0A, 0x20])
    rest = rest[cut...]
    // The space of the continuation line counts.
    room = maximumOctets - 1
  }
  output.append(contentsOf: rest)
  output.append(0x0D)
  output.append(0x0A)
}

extension ArraySlice<UInt8> {
  /// The position of an "=" before `place` with only blanks between them.
  fileprivate func equalsSign(before place: Int) -> Int? {
    var position = place
    while position > startIndex, self[position - 1] == 0x20 || self[position - 1] == 0x09 {
      position -= 1
    }
    return position > startIndex && self[position - 1] == UInt8(ascii: "=") ? position - 1 : nil
  }
}

/// Adds a content line given as text.
func appendFolded(_ line: String, to output: inout [UInt8]) {
  appendFolded(Array(line.utf8)[...], to: &output)
}

extension Component {
  /// Adds the component with the same lines in the same order, folded again.
  func appendCanonicalText(to output: inout [UInt8]) {
    // Adjacent lines that need no fold are copied together.
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

  /// The component with its lines folded again.
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
