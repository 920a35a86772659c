import Testing

@testable import Platform

@Suite struct `A worker thread` {
  @Test func `what is sent comes back in order, and each once`() throws {
    let loop = try EventLoop()
    var told: [String] = []
    let worker = try WorkerThread<Int, String>(
      on: loop,
      { side in
        while let number = side.next() { side.tell("\(number) and a text that is no small one") }
      }
    ) { told.append($0) }
    for number in 0..<2000 { worker.send(number) }
    #expect(try loop.run(withinMilliseconds: 20_000) { told.count == 2000 })
    #expect(told == (0..<2000).map { "\($0) and a text that is no small one" })
    worker.end()
  }

  @Test func `it ends when nobody listens any more, and nothing it said is told then`() throws {
    let loop = try EventLoop()
    var told = 0
    weak var gone: WorkerThread<Int, Int>?
    do {
      let worker = try WorkerThread<Int, Int>(
        on: loop,
        { side in
          for number in 0..<100 { side.tell(number) }
          while side.next() != nil {}
          side.tell(100)
        }
      ) { _ in told += 1 }
      gone = worker
      #expect(try loop.run(withinMilliseconds: 20_000) { told == 3 })
      worker.end()
      // What nobody takes is let go of, too.
      worker.send(1)
    }
    #expect(gone != nil)
    #expect(try loop.run(withinMilliseconds: 20_000) { gone == nil })
    #expect(told == 3)
  }

  @Test func `one that has ended by itself is told no more`() throws {
    let loop = try EventLoop()
    weak var gone: WorkerThread<Int, Int>?
    var told: [Int] = []
    do {
      let worker = try WorkerThread<Int, Int>(on: loop, { $0.tell(7) }) { told.append($0) }
      gone = worker
      worker.send(1)
    }
    #expect(try loop.run(withinMilliseconds: 20_000) { gone == nil })
    #expect(told == [7])
  }

  @Test func `it waits for what is asked of the loop`() throws {
    let loop = try EventLoop()
    var worker: WorkerThread<Int, Int>?
    var told: [Int] = []
    worker = try WorkerThread(
      on: loop,
      { side in
        side.tell(1)
        guard let answer = side.next() else { return }
        side.tell(answer * 2)
      }
    ) { word in
      told.append(word)
      if word == 1 { worker?.send(21) }
    }
    #expect(try loop.run(withinMilliseconds: 20_000) { told.count == 2 })
    #expect(told == [1, 42])
  }
}
