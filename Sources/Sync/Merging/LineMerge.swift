import ICalendar

/// Merges the properties of one component.
struct LineMerge {
  /// Whose lines are used for what was changed differently on both sides.
  let winner: MergeSide
  /// The properties that were changed differently on both sides, in order.
  private(set) var conflicts: [String] = []

  init(winner: MergeSide) { self.winner = winner }

  /// The lines of one property, or of the times, in each version.
  private struct Versions {
    var base: [PropertyLine] = []
    var local: [PropertyLine] = []
    var remote: [PropertyLine] = []

    func filter(_ isIncluded: (PropertyLine) -> Bool) -> Versions {
      Versions(
        base: base.filter(isIncluded), local: local.filter(isIncluded),
        remote: remote.filter(isIncluded))
    }

    /// The lines if at most one side changed them, or both in the same way; else nil.
    var settled: [PropertyLine]? {
      let (base, local, remote) = (base.said, local.said, remote.said)
      if local == base || local == remote { return self.remote }
      return remote == base ? self.local : nil
    }
  }

  /// Returns the merged lines: in the order of the server, then those that are only here.
  mutating func merge(
    base: [PropertyLine], local: [PropertyLine], remote: [PropertyLine]
  ) -> [PropertyLine] {
    var groups: [String: Versions] = [:]
    func add(_ lines: [PropertyLine], to version: WritableKeyPath<Versions, [PropertyLine]>) {
      for line in lines {
        groups[PropertyRule.group(of: line.name), default: Versions()][keyPath: version] += [line]
      }
    }
    add(base, to: \.base)
    add(local, to: \.local)
    add(remote, to: \.remote)
    var merged: [PropertyLine] = []
    for line in remote + local {
      let name = PropertyRule.group(of: line.name)
      // What is merged is removed.
      guard let versions = groups.removeValue(forKey: name) else { continue }
      merged += versions.settled ?? settle(name, versions)
    }
    return merged
  }

  private mutating func settle(_ name: String, _ versions: Versions) -> [PropertyLine] {
    let most = max(versions.base.count, versions.local.count, versions.remote.count)
    switch PropertyRule(name, lines: most) {
    case .single: return conflict(name, versions)
    case .set: return union(versions)
    case .attendees: return attendees(versions)
    case .latest: return latest(versions)
    case .server: return versions.remote
    case .when:
      let times = versions.filter { !PropertyRule.dates.contains($0.name) }
      guard times.local.said == times.remote.said else { return conflict(name, versions) }
      return times.remote + union(versions.filter { PropertyRule.dates.contains($0.name) })
    }
  }

  private mutating func conflict(_ name: String, _ versions: Versions) -> [PropertyLine] {
    conflicts.append(name)
    return winner == .local ? versions.local : versions.remote
  }

  private func union(_ versions: Versions) -> [PropertyLine] {
    let remote = versions.remote.flatMap(\.split)
    let local = versions.local.flatMap(\.split)
    let (inBase, inLocal) = (Set(versions.base.flatMap(\.split)), Set(local))
    let known = inBase.union(remote)
    return remote.filter { inLocal.contains($0) || !inBase.contains($0) }
      + local.filter { !known.contains($0) }
  }

  /// Which guests there are is merged as a set, and what is said of each by parameter.
  ///
  /// Of a parameter that was changed differently on both sides the server's is used: mostly it is
  /// PARTSTAT or SCHEDULE-STATUS, which the server writes when a guest answers.
  private func attendees(_ versions: Versions) -> [PropertyLine] {
    func byAddress(_ lines: [PropertyLine]) -> [String: PropertyLine] {
      Dictionary(lines.map { ($0.value.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    }
    let (base, local, remote) = (
      byAddress(versions.base), byAddress(versions.local), byAddress(versions.remote)
    )
    var seen: Set<String> = []
    return (versions.remote + versions.local).compactMap { line in
      let address = line.value.lowercased()
      guard seen.insert(address).inserted else { return nil }
      switch (base[address], local[address], remote[address]) {
      case (let base, let local?, let remote?): return merge(base, local, remote)
      case (nil, _, _): return line
      default: return nil
      }
    }
  }

  private func merge(
    _ base: PropertyLine?, _ local: PropertyLine, _ remote: PropertyLine
  ) -> PropertyLine {
    func value(_ name: String, in line: PropertyLine?) -> String? {
      line?.parameters.first { $0.name == name }?.value
    }
    var parameters: [PropertyLine.Parameter] = []
    for parameter in remote.parameters + local.parameters {
      let name = parameter.name
      guard !parameters.contains(where: { $0.name == name }) else { continue }
      let isOurs = value(name, in: remote) == value(name, in: base)
      if let value = value(name, in: isOurs ? local : remote) {
        parameters.append(PropertyLine.Parameter(name: name, value: value))
      }
    }
    return remote.with(parameters)
  }

  private func latest(_ versions: Versions) -> [PropertyLine] {
    guard let local = versions.local.first, let remote = versions.remote.first else {
      return versions.remote + versions.local
    }
    // Numbers are compared as such, and UTC times as text are in their order.
    let isLater =
      if let ours = Int(local.value), let theirs = Int(remote.value) {
        ours > theirs
      } else {
        local.value > remote.value
      }
    return [isLater ? local : remote]
  }
}

extension [PropertyLine] {
  /// What the lines say, in any order.
  fileprivate var said: [String] { flatMap(\.split).map(\.meaning).sorted() }
}
