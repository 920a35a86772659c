import Glibc

/// Work with a descriptor of somebody else's, on a thread of its own, which owns and closes it.
///
/// Whatever is done with such a descriptor may block: two that read one pipe race for what is in
/// it, and a file may lie on a file system that does not answer. So nobody waits for the thread.
/// Each of its steps is a word, and where none comes for too long the work has failed; the thread
/// is left alone then, and ends when the system lets it go on.
final class DescriptorWork<Reply: Sendable, Value: Sendable> {
  enum Word: Sendable {
    /// Something was read or written.
    case step
    /// The thread waits for a reply.
    case question
    case end(Result<Value, PlatformError>)
  }

  /// The thread's side.
  struct Side: Sendable {
    fileprivate let words: WorkerSide<Reply, Word>
    /// Each word wakes the loop: one in so many nanoseconds is enough.
    fileprivate let pace: Int64
    private var nextStep: Int64 = 0

    fileprivate init(_ words: WorkerSide<Reply, Word>, patienceMilliseconds: Int) {
      self.words = words
      pace = Int64(min(100, patienceMilliseconds / 8)) * 1_000_000
    }

    /// Waits until the descriptor is ready; false when nobody listens any more.
    func waits(
      for descriptor: Int32, _ interest: Interest
    ) throws(SystemError) -> Bool {
      try words.waits(for: descriptor, interest)
    }

    /// Takes note that something was read or written.
    mutating func step() {
      let now = SystemCalls.monotonicNanoseconds()
      guard now >= nextStep else { return }
      nextStep = now + pace
      words.tell(.step)
    }

    /// Asks for a reply, which ``next()`` returns.
    func ask() { words.tell(.question) }

    /// Waits for the next reply; nil when nobody listens any more.
    func next() -> Reply? { words.next() }
  }

  /// Returns nil when nobody listens any more.
  typealias Body =
    @Sendable (_ descriptor: Int32, inout Side) throws(PlatformError) -> Value?

  private let loop: EventLoop
  private let patienceMilliseconds: Int
  private let stalled: PlatformError
  private let reply: () -> Reply
  private var completion: ((Result<Value, PlatformError>) -> Void)?
  private var worker: WorkerThread<Reply, Word>?
  /// When the work has failed unless a word comes before.
  private var patience: Deadline?

  /// - Parameters:
  ///   - number: the descriptor, which the caller must not touch any more. Its flags, which other
  ///     processes may share, are left alone.
  ///   - stalled: the error after so long in which no word came.
  ///   - reply: makes what the thread asks for, on the loop's thread.
  ///   - ended: called when the thread has ended, which may be long after the completion.
  ///   - completion: called once from the loop, never from here; not at all after ``cancel()``.
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
      // The thread's words keep this object until it has ended.
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

  /// Gives up. The thread notices that unless a system call holds it.
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

/// Refuses a terminal: who types there means another program, and may type a password.
///
/// - Throws: ``PlatformError/terminal``; ``PlatformError/system(_:)`` for what is no descriptor.
func refuseTerminal(_ descriptor: Int32, path: String) throws(PlatformError) {
  let kind = try asPlatformError { () throws(SystemError) in
    try SystemCalls.status(descriptor, path: path).mode & S_IFMT
  }
  if kind == S_IFCHR, SystemCalls.isTerminal(descriptor) { throw .terminal }
}

/// Runs system calls; their errors become those of this target.
func asPlatformError<Answer>(
  _ body: () throws(SystemError) -> Answer
) throws(PlatformError) -> Answer {
  do throws(SystemError) { return try body() } catch { throw .system(error) }
}
