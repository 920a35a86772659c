/// Whether two components say the same, line by line, and differ at most in how they write it: a
/// parameter in quotes that needs none, a VALUE that is the usual one, an octet escaped that need
/// not be. DTSTAMP, which servers write anew with each download, does not count, nor does where components stand among
/// properties: in jCal they follow them.
///
/// Two lines are the same where jCal has one form for both.
///
/// - Parameters:
///   - first: a component in canonical text.
///   - second: another one.
///
/// Source: RFC 7265 section 3; RFC 5545 section 3.8.7.2.
package func saySame(_ first: String, _ second: String) -> Bool {
  if first == second { return true }
  guard let left = Component(canonical: first), let right = Component(canonical: second) else {
    return false
  }
  let (leftLines, rightLines) = (left.comparedLines, right.comparedLines)
  guard leftLines.count == rightLines.count else { return false }
  return zip(leftLines, rightLines).allSatisfy { one, other in
    if left.octets[one.range] == right.octets[other.range] { return true }
    guard one.property == other.property, one.property != .begin, one.property != .end else {
      return false
    }
    return left.jCalProperty(one) == right.jCalProperty(other)
  }
}

extension Component {
  /// A component that was read before; nil for what is none.
  fileprivate init?(canonical text: String) {
    self.init()
    var problems = Problems(limit: 0)
    var reader = ComponentReader(Array(text.utf8), limits: .ofKeptText)
    guard reader.next(&self, &problems) == .component else { return nil }
  }

  fileprivate var comparedLines: [ContentLine] {
    Component.propertiesFirst(lines.filter { $0.property != .stamp }[...])
  }

  /// The lines of a component from its BEGIN to its END, with those of the components in it behind its own.
  private static func propertiesFirst(_ lines: ArraySlice<ContentLine>) -> [ContentLine] {
    guard lines.count > 2, let begin = lines.first, let end = lines.last else {
      return Array(lines)
    }
    var (own, inner) = ([begin], [ContentLine]())
    var index = lines.startIndex + 1
    while index < lines.endIndex - 1 {
      guard lines[index].property == .begin else {
        own.append(lines[index])
        index += 1
        continue
      }
      let start = index
      var depth = 0
      repeat {
        if lines[index].property == .begin { depth += 1 }
        if lines[index].property == .end { depth -= 1 }
        index += 1
      } while depth > 0 && index < lines.endIndex - 1
      inner += propertiesFirst(lines[start..<index])
    }
    return own + inner + [end]
  }
}
