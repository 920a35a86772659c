/// A second thread, for work that takes too long for the loop's thread and needs nothing of what
/// that thread owns.
///
/// The two share nothing: each gives values away, which the other gets one by one and in order.
/// What goes between them is an address in a pipe, which the system hands over; so neither needs a
/// lock, and the loop waits for words as it does for any descriptor.
///
///     let worker = try WorkerThread<Int, Int>(on: loop) { side in
///       while let number = side.next() { side.tell(2 * number) }
///     } told: { doubled in … }
///     worker.send(21)
///
/// How far one goes ahead of the other is theirs to say: a pipe holds some thousand words.
///
/// Source: pipe(7), pthread_create(3).
package final class WorkerThread<Reply: Sendable, Word: Sendable> {
  private let loop: EventLoop
  private let words: FileDescriptor
  /// nil once nobody listens any more.
  private var replies: FileDescriptor?
  private var watch: DescriptorWatch?
  private let told: (Word) -> Void
  private let ended: () -> Void

  /// Starts the thread, which ends when `body` returns.
  ///
  /// - Parameters:
  ///   - body: what the thread does. It is to return when ``WorkerSide/next()`` says that nobody
  ///     listens any more, and to ask that now and then.
  ///   - told: gets each word in a round of the loop; none after ``end()``.
  ///   - ended: called when the thread has ended, also after ``end()``.
  /// - Throws: ``SystemError`` where there are too many threads or descriptors.
  package init(
    on loop: EventLoop, _ body: @escaping @Sendable (WorkerSide<Reply, Word>) -> Void,
    told: @escaping (Word) -> Void, ended: @escaping () -> Void = {}
  ) throws(SystemError) {
    self.loop = loop
    self.told = told
    self.ended = ended
    let up = try SystemCalls.pipe()
    words = FileDescriptor(owning: up.0)
    do throws(SystemError) {
      let down = try SystemCalls.pipe()
      replies = FileDescriptor(owning: down.1)
      let side = WorkerSide<Reply, Word>(words: up.1, replies: down.0)
      do throws(SystemError) {
        // The handler keeps this object until the thread has ended.
        watch = try loop.watch(up.0, for: .read) { _ in self.readWord() }
        try SystemCalls.startThread {
          body(side)
          side.end()
        }
      } catch {
        SystemCalls.close(down.0)
        throw error
      }
    } catch {
      if let watch { loop.cancel(watch) }
      SystemCalls.close(up.1)
      throw error
    }
  }

  /// Sends something to the thread.
  package func send(_ reply: Reply) {
    if let replies { Parcel(reply).send(to: replies.number) }
  }

  /// Listens no more; the thread is told so when it asks.
  package func end() {
    replies = nil
  }

  private func readWord() {
    if let word = Parcel<Word>.next(from: words.number) {
      // After the end they are still taken out, so that nothing is left behind in the pipe.
      if replies != nil { told(word) }
    } else {
      if let watch { loop.cancel(watch) }
      watch = nil
      replies = nil
      ended()
    }
  }
}

/// The end of the connection that the worker thread uses.
package struct WorkerSide<Reply: Sendable, Word: Sendable>: Sendable {
  fileprivate let words: Int32
  fileprivate let replies: Int32

  /// Sends something to the loop's thread.
  package func tell(_ word: Word) {
    Parcel(word).send(to: words)
  }

  /// Waits for what is sent; nil when nobody listens any more.
  package func next() -> Reply? {
    Parcel<Reply>.next(from: replies)
  }

  /// Returns what was sent already; nil where nothing is there, or nothing will be any more.
  package func nextIfAny() -> Reply? {
    SystemCalls.isReadable(replies) ? next() : nil
  }

  /// Waits until a descriptor is ready; false when nobody listens any more.
  func waits(for descriptor: Int32, _ interest: Interest) throws(SystemError) -> Bool {
    try SystemCalls.waitUntilReady(descriptor, for: interest, orClosed: replies)
  }

  /// Each end is closed behind the last word in it: none is written to a pipe that nobody reads.
  fileprivate func end() {
    SystemCalls.close(words)
    while next() != nil {}
    SystemCalls.close(replies)
  }
}

/// A value on its way from one thread to the other, which gets the only reference to it.
private final class Parcel<Value: Sendable>: Sendable {
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }

  func send(to descriptor: Int32) {
    let reference = Unmanaged.passRetained(self)
    let address = UInt(bitPattern: reference.toOpaque())
    do throws(SystemError) {
      // So few octets go into a pipe at once or not at all.
      _ = try SystemCalls.write(descriptor, withUnsafeBytes(of: address, Array.init))
    } catch {
      reference.release()
    }
  }

  /// Waits for a value; nil at the end.
  static func next(from descriptor: Int32) -> Value? {
    var address: UInt = 0
    let count = try? withUnsafeMutableBytes(of: &address) { (buffer) throws(SystemError) in
      try SystemCalls.read(descriptor, into: buffer)
    }
    guard count == MemoryLayout<UInt>.size, let place = UnsafeRawPointer(bitPattern: address) else {
      return nil
    }
    return Unmanaged<Parcel<Value>>.fromOpaque(place).takeRetainedValue().value
  }
}
