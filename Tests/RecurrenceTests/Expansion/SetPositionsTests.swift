import TestSupport
import Testing

@testable import Recurrence

@Suite struct `Places that BYSETPOS picks` {
  private func indexes(_ positions: [Int], of count: Int) -> [Int] {
    var list: [Int] = []
    SetPositions.forEachIndex(SetPositions.ordered(positions), of: count) { list.append($0) }
    return list
  }

  @Test func `count from either end, and one that both name is picked once`() {
    #expect(indexes([-1, 3, 1, 1, -3], of: 5) == [0, 2, 4])
  }

  @Test func `beyond what there is pick nothing`() {
    #expect(indexes([6, -6, 7], of: 5) == [])
    #expect(indexes([1, -1], of: 0) == [])
  }

  @Test func `are the same for days, for a month's bits and for a list`() {
    var numbers = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      let month = UInt32.random(in: 0..<1 << 31, using: &numbers)
      let positions = (0..<Int.random(in: 1...8, using: &numbers)).map { _ in
        Int.random(in: 1...32, using: &numbers) * (Bool.random(using: &numbers) ? 1 : -1)
      }
      let list = (0..<31).filter { month & (1 << UInt32($0)) != 0 }
      let picked = list.indices.filter {
        positions.contains($0 + 1) || positions.contains($0 - list.count)
      }.map { list[$0] }
      let ordered = SetPositions.ordered(positions)

      var days = DayBits()
      days.begin(at: 0)
      days.insert(month, from: 0)
      var rest = SetPositions.pick(ordered, of: days, first: 0)
      var ofDays: [Int] = []
      while let day = rest.removeFirst() { ofDays.append(day) }
      #expect(ofDays == picked, "\(positions) of \(list)")
      let bits = SetPositions.pick(ordered, of: month)
      #expect((0..<31).filter { bits & (1 << UInt32($0)) != 0 } == picked)
      let offsets = ContiguousArray(list.map(Int64.init))
      #expect(SetPositions.pick(positions, of: offsets).map { Int($0) } == picked)
      #expect(SetPositions.count(ordered, of: list.count) == picked.count)
    }
  }
}
