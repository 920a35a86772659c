import ICalendar

/// Merges components: the event and its overrides, and the alarms in them.
struct ComponentMerge {
  /// Whose properties are used where both sides changed one differently.
  let winner: MergeSide
  /// The properties that were changed differently on both sides, each once; "VALARM" stands for all
  /// of an alarm.
  private(set) var conflicts: [String] = []

  init(winner: MergeSide) { self.winner = winner }

  /// Returns the merged components: in the order of the server, then those that are only here.
  mutating func merge(
    base: [ComponentTree], local: [ComponentTree], remote: [ComponentTree]
  ) -> [ComponentTree] {
    let keys = matchingKeys([base, local, remote])
    func byKey(_ version: Int, _ components: [ComponentTree]) -> [String: ComponentTree] {
      Dictionary(uniqueKeysWithValues: zip(keys[version], components))
    }
    let (inBase, inLocal, inRemote) = (byKey(0, base), byKey(1, local), byKey(2, remote))
    return (keys[2] + keys[1].filter { inRemote[$0] == nil }).compactMap { key in
      func unlessRemoved(_ rest: ComponentTree, _ series: ComponentTree?) -> ComponentTree? {
        isRemoved(rest, inBase[key], series: series, base.series) ? nil : rest
      }
      return switch (inLocal[key], inRemote[key]) {
      case (let local?, let remote?): merge(inBase[key], local, remote)
      case (let rest?, nil): unlessRemoved(rest, local.series)
      case (nil, let rest?): unlessRemoved(rest, remote.series)
      case (nil, nil): nil
      }
    }
  }

  /// Whether a component is removed that is only there on one side: unless that side edited it, or if
  /// it is new there.
  private func isRemoved(
    _ rest: ComponentTree, _ base: ComponentTree?, series: ComponentTree?,
    _ baseSeries: ComponentTree?
  ) -> Bool {
    guard let base, rest.content != base.content else { return base != nil }
    guard let series, let baseSeries else { return false }
    return rest.isChanged(from: base, onlyAs: series, from: baseSeries)
  }

  private mutating func merge(
    _ base: ComponentTree?, _ local: ComponentTree, _ remote: ComponentTree
  ) -> ComponentTree {
    var lines = LineMerge(winner: winner)
    var merged = remote
    merged.lines = lines.merge(base: base?.lines ?? [], local: local.lines, remote: remote.lines)
    merged.children = merge(
      base: base?.children ?? [], local: local.children, remote: remote.children)
    for name in lines.conflicts {
      let name = remote.name == "VALARM" ? "VALARM" : name
      if !conflicts.contains(name) { conflicts.append(name) }
    }
    return merged
  }
}

/// Returns for each component of each version a key that the same component has in the others.
///
/// It is RECURRENCE-ID for those of an item. Within them it is the UID, else for alarms what fires
/// when, else everything. Some programs give a UID to an alarm that had none.
private func matchingKeys(_ versions: [[ComponentTree]]) -> [[String]] {
  var uids: [String: String] = [:]
  for component in versions.joined() where component.name == "VALARM" {
    if let uid = component.first("UID")?.value, uids[component.looseKey] == nil {
      uids[component.looseKey] = uid
    }
  }
  return versions.map { components in
    let own = Set(components.compactMap { $0.first("UID")?.value })
    var counts: [String: Int] = [:]
    return components.map { component in
      var key = component.looseKey
      if component.isTop {
        key = component.name + " " + component.recurrenceID
      } else if let uid = component.first("UID")?.value {
        key = "UID " + uid
      } else if let uid = uids[key], !own.contains(uid) {
        key = "UID " + uid
      }
      // The same once more, which some programs write, is another one.
      counts[key, default: 0] += 1
      return "\(key) \(counts[key, default: 0])"
    }
  }
}

extension [ComponentTree] {
  /// The event that the others are overrides of.
  fileprivate var series: ComponentTree? { first { $0.isTop && $0.recurrenceID.isEmpty } }
}

extension ComponentTree {
  /// Whether an override was only changed together with all of its series: who edits a series changes
  /// its overrides, too, where they had the same as the series.
  fileprivate func isChanged(
    from base: ComponentTree, onlyAs series: ComponentTree, from baseSeries: ComponentTree
  ) -> Bool {
    func isInherited(_ said: (ComponentTree) -> [String]) -> Bool {
      said(self) == said(base)
        || (said(base) == said(baseSeries) && said(self) == said(series))
    }
    let names = Set((lines + base.lines).map(\.name)).subtracting(PropertyRule.bookkeeping)
    return names.allSatisfy { name in
      isInherited { $0.lines.filter { $0.name == name }.flatMap(\.split).map(\.meaning).sorted() }
    } && isInherited { $0.children.map(\.content).sorted() }
  }

  /// Whether it is a component of an item, not one within such a component.
  fileprivate var isTop: Bool { ["VEVENT", "VTODO", "VJOURNAL"].contains(name) }

  /// The key of a component without a UID.
  fileprivate var looseKey: String {
    guard name == "VALARM" else { return meaning() }
    return ["TRIGGER", "ACTION"].compactMap { first($0)?.meaning }.joined(separator: "\n")
  }
}
