import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import Reminders

@Suite struct `Names filed in their order` {
  private func name(_ number: Int) -> DueOrder.Name {
    DueOrder.Name(
      due: Timestamp(seconds: Int64(number % 17)), summary: "s\(number % 5)", id: "\(number)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `many that come at once lie where each alone would, and none twice`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (one, many) = (DueOrder(), DueOrder())
    for _ in 0..<30 {
      let batch = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        name(Int.random(in: 0..<400, using: &random))
      }
      for name in batch { one.insert(name) }
      many.insert(batch)
      #expect(many.names == one.names)
    }
    #expect(many.names == many.names.sorted())
    #expect(Set(many.names.map(\.id)).count == many.names.count)
  }
}
