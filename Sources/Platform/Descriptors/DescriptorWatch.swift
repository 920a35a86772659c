import CLinux

/// The events that a watch waits for.
package struct Interest: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// There is something to read, or the input has ended.
  package static let read = Interest(rawValue: 1)
  /// There is room to write.
  package static let write = Interest(rawValue: 2)
  /// The other end is closed; watches for reading and writing get this, too.
  package static let hangup = Interest(rawValue: 4)

  /// The epoll events; EPOLLERR and EPOLLHUP are always reported and need no bit.
  var events: UInt32 {
    (contains(.read) ? datebook_epoll_in : 0) | (contains(.write) ? datebook_epoll_out : 0)
  }

  /// The events that a handler with this interest gets.
  var told: Readiness {
    if isEmpty { return [] }
    var told: Readiness = .hangup
    if contains(.read) { told.insert(.readable) }
    if contains(.write) { told.insert(.writable) }
    return told
  }
}

/// The events that a descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Reading does not block.
  package static let readable = Readiness(rawValue: 1)
  /// Writing does not block.
  package static let writable = Readiness(rawValue: 2)
  /// The other end is closed, or the descriptor has an error; there may still be data to read.
  package static let hangup = Readiness(rawValue: 4)

  init(events: UInt32) {
    var readiness: Readiness = []
    if events & datebook_epoll_in != 0 { readiness.insert(.readable) }
    if events & datebook_epoll_out != 0 { readiness.insert(.writable) }
    if events & (datebook_epoll_hangup | datebook_epoll_error) != 0 { readiness.insert(.hangup) }
    self = readiness
  }
}

/// A descriptor's handler on an ``EventLoop``; the token to change and cancel it.
package final class DescriptorWatch {
  package let descriptor: Int32
  /// The events it waits for; change them with ``EventLoop/change(_:to:)``.
  package internal(set) var interest: Interest
  /// Whether it was cancelled.
  package internal(set) var isCancelled = false
  let handler: (Readiness) -> Void

  init(_ descriptor: Int32, _ interest: Interest, _ handler: @escaping (Readiness) -> Void) {
    self.descriptor = descriptor
    self.interest = interest
    self.handler = handler
  }
}

/// All watches of one descriptor, since epoll takes a descriptor only once.
final class DescriptorSlot {
  let descriptor: Int32
  /// The data of its epoll events: generation and descriptor.
  let key: UInt64
  var watches: [DescriptorWatch] = []
  /// The events registered with epoll; empty if it does not have the descriptor.
  var armed: Interest = []

  init(_ descriptor: Int32, generation: UInt32) {
    self.descriptor = descriptor
    key = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
  }
}
