/// What is to be shown together, as long as it is gathered.
struct GatheredDigest {
  var names: [DueOrder.Name] = []
  var tooOld = 0

  mutating func add(names more: [DueOrder.Name], tooOld moreTooOld: Int) {
    names += more
    tooOld += moreTooOld
  }

  mutating func rename(_ renamed: [DueOrder.Name: DueOrder.Name]) {
    names = names.map { renamed[$0] ?? $0 }
  }
}
