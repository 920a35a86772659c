import CivilTime
import Testing

@Suite struct `Binary search` {
  @Test func `the first element that satisfies the condition is found`() {
    for count in 0...20 {
      for place in 0...count {
        #expect((0..<count).map { $0 }.partitioningIndex { $0 >= place } == place)
      }
    }
  }

  @Test func `a slice keeps the indexes of its array`() {
    let slice = [1, 3, 3, 5, 7][1...3]
    #expect(slice.partitioningIndex { $0 >= 3 } == 1)
    #expect(slice.partitioningIndex { $0 > 3 } == 3)
    #expect(slice.partitioningIndex { $0 > 5 } == 4)
  }
}
