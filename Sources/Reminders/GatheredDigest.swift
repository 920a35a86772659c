/// The reminders of a digest while it is being collected.
struct GatheredDigest {
  /// A set, because a reminder that is removed and becomes pending again is added twice.
  var names: Set<DueOrder.Name> = []
  var tooOld = 0

  mutating func add(names more: some Sequence<DueOrder.Name>, tooOld moreTooOld: Int) {
    names.formUnion(more)
    tooOld += moreTooOld
  }

  mutating func rename(_ renamed: [DueOrder.Name: DueOrder.Name]) {
    names = Set(names.lazy.map { renamed[$0] ?? $0 })
  }
}
