import Glibc
import Platform
import Testing

@Suite struct `Event loop` {
  private let loop: EventLoop
  private let pipe: (reading: FileDescriptor, writing: FileDescriptor)

  init() throws {
    loop = try EventLoop()
    pipe = try FileDescriptor.pipe()
  }

  private func write(_ text: String) throws {
    _ = try SystemCalls.write(pipe.writing.number, Array(text.utf8))
  }

  private func read(_ descriptor: FileDescriptor) -> String {
    var buffer = [UInt8](repeating: 0, count: 100)
    let count = buffer.withUnsafeMutableBytes {
      (try? SystemCalls.read(descriptor.number, into: $0)) ?? 0
    }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  @Test func `a descriptor that has something to read calls its handler`() throws {
    var told: [Readiness] = []
    var text = ""
    _ = try loop.watch(pipe.reading.number, for: .read) { readiness in
      told.append(readiness)
      text += read(pipe.reading)
      loop.stop()
    }
    try write("hello")
    try loop.run()
    #expect(told == [.readable])
    #expect(text == "hello")
  }

  @Test func `a descriptor with room to write calls its handler`() throws {
    var told: Readiness = []
    _ = try loop.watch(pipe.writing.number, for: .write) {
      told = $0
      loop.stop()
    }
    try loop.run()
    #expect(told == .writable)
  }

  @Test func `a reader that has gone is told as a hangup`() throws {
    var pair = Optional(try FileDescriptor.pipe())
    let writing = try #require(pair).writing
    var told: Readiness = []
    let watch = try loop.watch(writing.number, for: .hangup) {
      told = $0
      loop.stop()
    }
    pair = nil
    try loop.run()
    #expect(told == .hangup)
    loop.cancel(watch)
  }

  @Test func `two watches of one descriptor hear what each of them wants`() throws {
    let resting = try loop.watch(pipe.reading.number, for: []) { _ in
      Issue.record("a watch without interest was called")
    }
    var calls = 0
    let first = try loop.watch(pipe.reading.number, for: .read) { _ in calls += 1 }
    try write("x")
    try loop.run { calls == 2 }
    try loop.change(first, to: [])
    #expect(try loop.run(withinMilliseconds: 2) { calls > 2 } == false)
    try loop.change(first, to: .read)
    loop.cancel(resting)
    var secondCalls = 0
    _ = try loop.watch(pipe.reading.number, for: .read) { _ in secondCalls += 1 }
    loop.cancel(first)
    try loop.run { secondCalls == 1 }
    #expect(calls == 2)
  }

  @Test(arguments: [false, true])
  func `a watch that another handler cancelled in the same round is not called`(
    _ isOneDescriptor: Bool
  ) throws {
    let other = try FileDescriptor.pipe()
    _ = try SystemCalls.write(other.writing.number, [1])
    try write("x")
    var watches: [DescriptorWatch] = []
    var calls = 0
    for descriptor in [pipe.reading, isOneDescriptor ? pipe.reading : other.reading] {
      watches.append(
        try loop.watch(descriptor.number, for: .read) { _ in
          calls += 1
          for watch in watches { loop.cancel(watch) }
        })
    }
    try loop.run { calls > 0 }
    #expect(calls == 1)
    #expect(watches.allSatisfy { $0.isCancelled })
  }

  /// Two pipes are ready; the handler that runs first gives the other's number to
  /// a new, empty pipe.
  @Test func `a descriptor number used again in the same round gets no old events`() throws {
    let other = try FileDescriptor.pipe()
    _ = try SystemCalls.write(other.writing.number, [1])
    try write("x")
    let empty = try FileDescriptor.pipe()
    let readers = [pipe.reading, other.reading]
    var watches: [DescriptorWatch] = []
    var calls = 0
    for place in 0...1 {
      watches.append(
        try loop.watch(readers[place].number, for: .read) { _ in
          calls += 1
          for watch in watches { loop.cancel(watch) }
          #expect(dup2(empty.reading.number, readers[1 - place].number) >= 0)
          let watch = try? loop.watch(readers[1 - place].number, for: .read) { _ in
            Issue.record("an empty pipe was told readable")
          }
          #expect(watch != nil)
        })
    }
    try loop.run { calls > 0 }
    #expect(try loop.run(withinMilliseconds: 2) { calls > 1 } == false)
  }

  @Test func `a regular file is refused, since it is always ready`() throws {
    let descriptor = try FileDescriptor.opening("/proc/self/exe")
    #expect(throws: SystemError(.notPermitted, call: "epoll_ctl")) {
      try loop.watch(descriptor.number, for: .read) { _ in }
    }
  }

  @Test func `deadlines run in the order of their time, and of asking within it`() throws {
    var order: [String] = []
    loop.after(milliseconds: 30) {
      order.append("late")
      loop.stop()
    }
    loop.after(milliseconds: 0) { order.append("first") }
    loop.after(milliseconds: 0) { order.append("second") }
    loop.after(milliseconds: 10) { order.append("middle") }
    try loop.run()
    #expect(order == ["first", "second", "middle", "late"])
  }

  @Test func `a cancelled deadline neither runs nor wakes`() throws {
    let cancelled = loop.after(milliseconds: 0) { Issue.record("it ran") }
    loop.cancel(cancelled)
    loop.cancel(cancelled)
    loop.after(milliseconds: 5) { loop.stop() }
    try loop.run()
    #expect(loop.wakeups == 1)
  }

  @Test func `a deadline may cancel one that is due in the same round`() throws {
    var second: Deadline?
    loop.after(milliseconds: 0) { if let second { loop.cancel(second) } }
    second = loop.after(milliseconds: 0) { Issue.record("it ran") }
    loop.after(milliseconds: 1) { loop.stop() }
    try loop.run()
  }

  @Test func `a descriptor that is always ready does not starve deadlines`() throws {
    var calls = 0
    _ = try loop.watch(pipe.writing.number, for: .write) { _ in calls += 1 }
    loop.after(milliseconds: 2) { loop.stop() }
    try loop.run()
    #expect(calls > 0)
  }

  @Test func `deadlines that ask for themselves again do not starve descriptors`() throws {
    func again() { loop.after(milliseconds: 0) { again() } }
    again()
    _ = try loop.watch(pipe.writing.number, for: .write) { _ in loop.stop() }
    try loop.run()
  }

  @Test func `what is asked for before the wait runs once, after the handlers`() throws {
    var order: [String] = []
    loop.beforeWaiting { order.append("start") }
    _ = try loop.watch(pipe.reading.number, for: .read) { _ in
      _ = read(pipe.reading)
      loop.beforeWaiting {
        order.append("before waiting")
        loop.beforeWaiting { order.append("next round") }
      }
      order.append("handler")
    }
    try write("x")
    try loop.run { order.count == 4 }
    #expect(order == ["start", "handler", "before waiting", "next round"])
    #expect(try loop.run(withinMilliseconds: 2) { order.count > 4 } == false)
  }

  @Test func `what is asked for before other work runs ahead of it, once a round`() throws {
    var order: [String] = []
    loop.beforeWaiting {
      order.append("work")
      loop.beforeOtherWork { order.append("next round") }
      loop.beforeWaiting { order.append("work of the next round") }
    }
    loop.beforeOtherWork { order.append("question") }
    try loop.run { order.count == 4 }
    #expect(order == ["question", "work", "next round", "work of the next round"])
    #expect(try loop.run(withinMilliseconds: 2) { order.count > 4 } == false)
  }

  @Test func `stop before run makes it return at once, and counts once`() throws {
    loop.stop()
    try loop.run()
    #expect(loop.wakeups == 0)
    loop.after(milliseconds: 0) { loop.stop() }
    try loop.run()
    #expect(loop.wakeups > 0)
  }

  @Test func `a condition that never holds ends with the time allowed`() throws {
    #expect(try loop.run(withinMilliseconds: 2) { false } == false)
    #expect(try loop.run(withinMilliseconds: 60_000) { true })
  }

  @Test func `deadlines far away are no overflow`() throws {
    let far = loop.after(milliseconds: .max) { Issue.record("it ran") }
    loop.after(milliseconds: 0) { loop.stop() }
    try loop.run()
    loop.cancel(far)
  }
}
