import ICalendar

/// An item that was changed here and on the server, merged by property.
package struct ItemMerge: Sendable {
  /// The merged item.
  package let item: ItemText
  /// The properties that were changed differently on both sides, in upper case.
  ///
  /// "DTSTART" stands for all times and the recurrence, "VALARM" for the reminders. The rest is
  /// merged all the same.
  package let conflicts: [String]
  /// Whose ``conflicts`` are in the merged item: the side that was edited later.
  package let winner: MergeSide

  /// - Parameter base: The version that both sides were made from; nil if there is none.
  package init(base: ItemText?, local: ItemText, remote: ItemText) {
    let base = base ?? .empty
    winner =
      if let ours = local.lastModified, let theirs = remote.lastModified, ours > theirs {
        .local
      } else {
        .remote
      }
    var merge = ComponentMerge(winner: winner)
    // The properties of the VCALENDAR are no part of the item: the server's stay.
    var merged = remote
    merged.components = merge.merge(
      base: base.components, local: local.components, remote: remote.components)
    merged.includeEditedOccurrences(local, remote)
    conflicts = merge.conflicts
    merged.addZones(of: local)
    item = merged
  }
}

extension ItemText {
  /// Drops the EXDATE of an occurrence that one side removed while the other edited it.
  ///
  /// Otherwise the edit would be there, but never be shown.
  fileprivate mutating func includeEditedOccurrences(_ local: ItemText, _ remote: ItemText) {
    let edited = editedOccurrences.subtracting(local.bothEditedAndExcluded)
      .subtracting(remote.bothEditedAndExcluded)
    for index in components.indices where components[index].recurrenceID.isEmpty {
      let lines = components[index].lines
      guard lines.contains(where: { $0.name == "EXDATE" }) else { continue }
      components[index].lines = lines.flatMap { line in
        guard line.name == "EXDATE" else { return [line] }
        let rest = line.split.filter { !edited.contains($0.value) }
        return rest.count == line.split.count ? [line] : rest
      }
    }
  }

  private var editedOccurrences: Set<String> { Set(components.map(\.recurrenceID)) }

  /// The overrides that this version itself excludes.
  private var bothEditedAndExcluded: Set<String> {
    editedOccurrences.intersection(
      components.flatMap(\.lines).filter { $0.name == "EXDATE" }.flatMap(\.split).map(\.value))
  }

  /// Adds the time zones of another version that are used and missing.
  fileprivate mutating func addZones(of other: ItemText) {
    let names = zoneNames
    var known = Set(zones.map(\.zoneID))
    for zone in other.zones where names.contains(zone.zoneID) {
      if known.insert(zone.zoneID).inserted { zones.append(zone) }
    }
  }
}

extension ComponentTree {
  /// The TZID of a VTIMEZONE.
  fileprivate var zoneID: String { first("TZID")?.value ?? "" }
}
