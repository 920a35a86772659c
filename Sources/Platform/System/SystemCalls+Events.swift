import CLinux
import Glibc

/// The calls behind ``EventLoop``, ``RealtimeClock``, ``DirectoryWatch`` and ``Signals``.
extension SystemCalls {
  /// epoll_create1(2).
  static func makePoll() throws(SystemError) -> Int32 {
    try check("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
  }

  /// epoll_ctl(2) with one of EPOLL_CTL_ADD, MOD, DEL.
  static func changePoll(
    _ poll: Int32, _ operation: Int32, _ descriptor: Int32, events: UInt32, data: UInt64
  ) throws(SystemError) {
    var event = epoll_event(events: events, data: epoll_data_t(u64: data))
    try check("epoll_ctl") { epoll_ctl(poll, operation, descriptor, &event) }
  }

  /// epoll_wait(2), once; a signal ends it with no events. -1 milliseconds means no limit.
  static func waitPoll(
    _ poll: Int32, into events: inout [epoll_event], milliseconds: Int32
  ) throws(SystemError) -> Int {
    let count = epoll_wait(poll, &events, Int32(events.count), milliseconds)
    if count >= 0 { return Int(count) }
    let code = SystemError.Code(rawValue: errno)
    if code == .interrupted { return 0 }
    throw SystemError(code, call: "epoll_wait")
  }

  /// timerfd_create(2) on CLOCK_REALTIME, not blocking.
  static func makeTimer() throws(SystemError) -> Int32 {
    try check("timerfd_create") {
      timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
    }
  }

  /// timerfd_settime(2) to an instant, with TFD_TIMER_CANCEL_ON_SET.
  static func setTimer(_ timer: Int32, seconds: Int64) throws(SystemError) {
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(seconds)
    let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
    try check("timerfd_settime") { timerfd_settime(timer, flags, &setting, nil) }
  }

  /// inotify_init1(2), not blocking.
  static func makeWatch() throws(SystemError) -> Int32 {
    try check("inotify_init1") { inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }
  }

  /// inotify_add_watch(2).
  static func addWatch(_ watch: Int32, _ path: String, mask: UInt32) throws(SystemError) {
    try check("inotify_add_watch", path) { inotify_add_watch(watch, path, mask) }
  }

  /// signalfd(2), not blocking.
  static func makeSignals(_ set: sigset_t) throws(SystemError) -> Int32 {
    var set = set
    return try check("signalfd") { signalfd(-1, &set, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC)) }
  }

  /// pthread_sigmask(3), which returns the error itself; returns the previous mask.
  static func blockSignals(_ how: Int32, _ set: sigset_t) throws(SystemError) -> sigset_t {
    var set = set
    var before = sigset_t()
    let code = pthread_sigmask(how, &set, &before)
    guard code == 0 else { throw SystemError(.init(rawValue: code), call: "pthread_sigmask") }
    return before
  }

  /// Ignores SIGPIPE, so that writing to a closed pipe fails with EPIPE. signal(2).
  static func ignoreBrokenPipe() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Ignores SIGXFSZ, so that a file over the limit of setrlimit(2) fails with EFBIG. signal(2).
  static func ignoreFileSizeLimit() {
    _ = signal(SIGXFSZ, SIG_IGN)
  }
}
