/// Where the rules of time zones come from.
///
/// A conformer gives the same rules for the same name until it is reloaded, and
/// keeps them, so that a caller may ask each time.
package protocol Zones: AnyObject {
  /// Returns the rules of a zone by its IANA name, such as "Europe/Berlin".
  ///
  /// - Throws: ``CivilTimeError/unknownZone(name:)`` if none is installed,
  ///   ``CivilTimeError/badZoneData(name:reason:)`` if its file is damaged.
  func rules(named name: String) throws(CivilTimeError) -> ZoneRules

  /// The names that there are, as far as they are known: to say which may be meant.
  var names: [String] { get }
}

extension Zones {
  package var names: [String] { [] }
}
