import Platform

extension [String] {
  /// "a", "a and b", "a, b and c".
  var joinedAsWords: String {
    guard let last, count > 1 else { return first ?? "" }
    return localized(
      "{list} and {last}", ["list": localizedList(dropLast()), "last": last])
  }

  /// Returns the lines, and one about how many more there are if the whole list is longer.
  ///
  /// - Parameter total: The number of lines of the whole list.
  func withRest(of total: Int) -> [String] {
    total > count ? self + [localized("and {number} more", ["number": total - count])] : self
  }
}
