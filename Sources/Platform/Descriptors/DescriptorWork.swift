import Glibc

/// Work with another program's descriptor, on a thread of its own, which owns and closes it.
///
/// Any use of such a descriptor may block: two readers race for a pipe's data, and a file system
/// may not answer. So nobody waits for the thread. It reports each step; if no report comes for too
/// long the work fails. The thread is then left alone, and ends when the system lets it continue.
final class DescriptorWork<Reply: Sendable, Value: Sendable> {
  enum Word: Sendable {
    /// Something was read or written.
    case step
    /// The thread asks for a reply.
    case question
    case end(Result<Value, PlatformError>)
  }

  /// The thread's end of the work.
  struct Side: Sendable {
    fileprivate let words: WorkerSide<Reply, Word>
    /// The shortest time between two reported steps, in nanoseconds: each wakes the loop.
    fileprivate let pace: Int64
    private var nextStep: Int64 = 0

    fileprivate init(_ words: WorkerSide<Reply, Word>, patienceMilliseconds: Int) {
      self.words = words
      pace = Int64(min(100, patienceMilliseconds / 8)) * 1_000_000
    }

    /// Waits until the descriptor is ready; false if the work was cancelled.
    func waits(
      for descriptor: Int32, _ interest: Interest
    ) throws(SystemError) -> Bool {
      try words.waits(for: descriptor, interest)
    }

    /// Reports that something was read or written.
    mutating func step() {
      let now = SystemCalls.monotonicNanoseconds()
      guard now >= nextStep else { return }
      nextStep = now + pace
      words.tell(.step)
    }

    /// Asks for a reply; ``next()`` returns it.
    func ask() { words.tell(.question) }

    /// Waits for the next reply; nil if the work was cancelled.
    func next() -> Reply? { words.next() }
  }

  /// The work itself; returns nil if it was cancelled.
  typealias Body =
    @Sendable (_ descriptor: Int32, inout Side) throws(PlatformError) -> Value?

  private let loop: EventLoop
  private let patienceMilliseconds: Int
  private let stalled: PlatformError
  private let reply: () -> Reply
  private var completion: ((Result<Value, PlatformError>) -> Void)?
  private var worker: WorkerThread<Reply, Word>?
  /// Fails the work unless a report comes before.
  private var patience: Deadline?

  /// - Parameters:
  ///   - number: The descriptor, which the caller must not use any more. Its flags are not changed,
  ///     since other processes may share them.
  ///   - stalled: The error if no report comes for that long.
  ///   - reply: Makes the replies that the thread asks for, on the loop's thread.
  ///   - ended: Called when the thread has ended, perhaps long after the completion.
  ///   - completion: Called once, from the loop; not called after ``cancel()``.
  init(
    owning number: Int32, on loop: EventLoop, patienceMilliseconds: Int, stalled: PlatformError,
    _ body: @escaping Body, reply: @escaping () -> Reply, ended: @escaping () -> Void,
    completion: @escaping (Result<Value, PlatformError>) -> Void
  ) {
    self.loop = loop
    self.patienceMilliseconds = patienceMilliseconds
    self.stalled = stalled
    self.reply = reply
    self.completion = completion
    do throws(SystemError) {
      // The handlers keep this object alive until the thread has ended.
      worker = try WorkerThread(on: loop) { words in
        var side = Side(words, patienceMilliseconds: patienceMilliseconds)
        let result: Result<Value, PlatformError>?
        do throws(PlatformError) {
          result = try body(number, &side).map { .success($0) }
        } catch {
          result = .failure(error)
        }
        SystemCalls.close(number)
        if let result { words.tell(.end(result)) }
      } told: {
        self.take($0)
      } ended: {
        ended()
      }
      beginPatience()
    } catch {
      // There is no other thread that could close it.
      SystemCalls.close(number)
      loop.beforeWaiting {
        ended()
        self.finish(.failure(.system(error)))
      }
    }
  }

  /// Stops the work; the thread notices unless a system call blocks it.
  func cancel() {
    worker?.end()
    worker = nil
    if let patience { loop.cancel(patience) }
    patience = nil
    completion = nil
  }

  private func take(_ word: Word) {
    switch word {
    case .step: beginPatience()
    case .question:
      worker?.send(reply())
      beginPatience()
    case .end(let result): finish(result)
    }
  }

  private func beginPatience() {
    if let patience { loop.cancel(patience) }
    patience = loop.after(milliseconds: patienceMilliseconds) { [weak self] in
      guard let self else { return }
      finish(.failure(stalled))
    }
  }

  private func finish(_ result: Result<Value, PlatformError>) {
    let completion = completion
    cancel()
    completion?(result)
  }
}

/// Refuses a terminal: who types there addresses another program, and may type a password.
///
/// - Throws: ``PlatformError/terminal``; ``PlatformError/system(_:)`` for a bad descriptor.
func refuseTerminal(_ descriptor: Int32, path: String) throws(PlatformError) {
  let kind = try asPlatformError { () throws(SystemError) in
    try SystemCalls.status(descriptor, path: path).mode & S_IFMT
  }
  if kind == S_IFCHR, SystemCalls.isTerminal(descriptor) { throw .terminal }
}

/// Runs system calls, and converts their errors to ``PlatformError/system(_:)``.
func asPlatformError<Answer>(
  _ body: () throws(SystemError) -> Answer
) throws(PlatformError) -> Answer {
  do throws(SystemError) { return try body() } catch { throw .system(error) }
}
