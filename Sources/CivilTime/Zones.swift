/// A source of time zone rules.
///
/// A conformer caches the rules and returns the same ones for a name until it is reloaded.
package protocol Zones: AnyObject {
  /// Returns the rules of a zone by its IANA name, such as "Europe/Berlin".
  ///
  /// - Throws: ``CivilTimeError/unknownZone(name:)`` if none is installed,
  ///   ``CivilTimeError/badZoneData(name:reason:)`` if its file is damaged.
  func rules(named name: String) throws(CivilTimeError) -> ZoneRules

  /// The known zone names, for suggestions.
  var names: [String] { get }
}

extension Zones {
  package var names: [String] { [] }
}
