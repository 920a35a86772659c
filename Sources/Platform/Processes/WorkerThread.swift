/// A second thread, for work that takes too long for the loop's thread.
///
/// The two share nothing: each sends values, which the other gets in order, one at a time. A pipe
/// carries the addresses of the values. So neither needs a lock, and the loop waits for messages as
/// for any descriptor.
///
///     let worker = try WorkerThread<Int, Int>(on: loop) { side in
///       while let number = side.next() { side.tell(2 * number) }
///     } told: { doubled in … }
///     worker.send(21)
///
/// The users limit how far one side runs ahead: a pipe holds some thousand messages.
///
/// Source: pipe(7), pthread_create(3).
package final class WorkerThread<Reply: Sendable, Word: Sendable> {
  private let loop: EventLoop
  private let words: FileDescriptor
  /// nil once the loop's side has stopped listening.
  private var replies: FileDescriptor?
  private var watch: DescriptorWatch?
  private let told: (Word) -> Void
  private let ended: () -> Void

  /// Starts the thread, which ends when `body` returns.
  ///
  /// - Parameters:
  ///   - body: The work. It should call ``WorkerSide/next()`` now and then, and return when that
  ///     returns nil.
  ///   - told: Gets each message in a round of the loop; not called after ``end()``.
  ///   - ended: Called when the thread has ended, also after ``end()``.
  /// - Throws: ``SystemError`` if there are too many threads or descriptors.
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
        // The handler keeps this object alive until the thread has ended.
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

  /// Sends a value to the thread.
  package func send(_ reply: Reply) {
    if let replies { Parcel(reply).send(to: replies.number) }
  }

  /// Stops listening; the thread notices at its next ``WorkerSide/next()``.
  package func end() {
    replies = nil
  }

  private func readWord() {
    if let word = Parcel<Word>.next(from: words.number) {
      // Read them even after the end, so that no message leaks in the pipe.
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

  /// Sends a value to the loop's thread.
  package func tell(_ word: Word) {
    Parcel(word).send(to: words)
  }

  /// Waits for the next value; nil if the loop's side has stopped listening.
  package func next() -> Reply? {
    Parcel<Reply>.next(from: replies)
  }

  /// Returns the next value without waiting; nil if there is none, or none will follow.
  package func nextIfAny() -> Reply? {
    SystemCalls.isReadable(replies) ? next() : nil
  }

  /// Waits until a descriptor is ready; false if the loop's side has stopped listening.
  func waits(for descriptor: Int32, _ interest: Interest) throws(SystemError) -> Bool {
    try SystemCalls.waitUntilReady(descriptor, for: interest, orClosed: replies)
  }

  /// Closes each pipe after its last message, so that nobody writes to one without a reader.
  fileprivate func end() {
    SystemCalls.close(words)
    while next() != nil {}
    SystemCalls.close(replies)
  }
}

/// A value sent to the other thread, which gets the only reference to it.
private final class Parcel<Value: Sendable>: Sendable {
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }

  func send(to descriptor: Int32) {
    let reference = Unmanaged.passRetained(self)
    let address = UInt(bitPattern: reference.toOpaque())
    do throws(SystemError) {
      // Writing so few octets to a pipe is atomic.
      _ = try SystemCalls.write(descriptor, withUnsafeBytes(of: address, Array.init))
    } catch {
      reference.release()
    }
  }

  /// Waits for a value; nil at the end of the pipe.
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
