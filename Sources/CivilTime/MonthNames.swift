package import Messages

extension CivilDate {
  /// The name of a month: "November".
  ///
  /// - Precondition: 1 to 12.
  package static func name(ofMonth month: Int) -> UserText { monthNames[month - 1] }

  private static let monthNames = [
    UserText("January"), UserText("February"), UserText("March"), UserText("April"),
    UserText("May"), UserText("June"), UserText("July"), UserText("August"),
    UserText("September"), UserText("October"), UserText("November"), UserText("December"),
  ]
}
