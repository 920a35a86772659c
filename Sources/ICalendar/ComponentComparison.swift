/// Whether two components say the same, line by line, and differ at most in how they write it: a
/// parameter in quotes that needs none, a VALUE that is the usual one, an octet escaped that need
/// not be. DTSTAMP, which servers write anew with each download, does not count.
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

  fileprivate var comparedLines: [ContentLine] { lines.filter { $0.property != .stamp } }
}
