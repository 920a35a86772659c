internal import CSQLite

/// The identity of a file, which does not change when the file is renamed.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64

  /// nil if there is no file, or if it cannot be examined.
  init?(_ path: String) {
    guard case .file(let identity) = FileIdentity.ask(path) else { return nil }
    self = identity
  }

  enum Answer: Equatable {
    case file(FileIdentity)
    case none
    /// The lookup failed; that does not mean that the file is gone.
    case unknown
  }

  static func ask(_ path: String) -> Answer {
    var (device, inode): (CUnsignedLongLong, CUnsignedLongLong) = (0, 0)
    switch datebook_file_identity(path, &device, &inode) {
    case 0: return .file(FileIdentity(device: device, inode: inode))
    case 1: return .none
    default: return .unknown
    }
  }

  private init(device: UInt64, inode: UInt64) {
    (self.device, self.inode) = (device, inode)
  }
}

/// Faults that forbid further writing: the file is damaged, or no longer the one at its path.
extension Database {
  /// Checks that the file may be written; runs at the start of every transaction.
  ///
  /// Writes to a replaced or removed file would be lost, and its journal would be read into the
  /// file that took its place.
  ///
  /// - Throws: ``StoreError/corrupt(path:detail:)``, ``StoreError/replaced(path:isRemoved:)``.
  func requireSound() throws(StoreError) {
    if let fault { throw fault }
    guard let identity else { return }
    let current = FileIdentity.ask(path)
    guard current != .file(identity), current != .unknown else { return }
    let error = StoreError.replaced(path: path, isRemoved: current == .none)
    note(fault: error)
    throw error
  }

  /// Records that nothing may be written any more; only the first reason is recorded.
  func note(fault new: StoreError) {
    guard fault == nil, identity != nil else { return }
    fault = new
    onFault?(new)
  }

  /// Records damage to the content, and returns the error for it.
  func damaged(_ detail: String) -> StoreError {
    let error = StoreError.corrupt(path: path, detail: detail)
    note(fault: error)
    return error
  }

  /// Checks that the connection is open.
  ///
  /// - Throws: ``StoreError/failed(code:message:sql:)`` after ``close()``.
  func requireOpen() throws(StoreError) {
    guard handle == nil else { return }
    throw .failed(code: SQLITE_MISUSE, message: "the database was closed", sql: "")
  }
}

extension StoreError {
  /// Whether the error means that the content of the file is damaged.
  var isDamage: Bool {
    if case .corrupt = self { return true }
    return false
  }
}

extension EventStore {
  /// Called once, when the file is found damaged or no longer at its path.
  ///
  /// This may be in the middle of a call; close the store only after that.
  package var onFault: ((StoreError) -> Void)? {
    get { database.onFault }
    set { database.onFault = newValue }
  }

  /// Checks that the file is still the one at its path, and calls ``onFault`` if it is not.
  package func checkFile() { try? database.requireSound() }

  /// Whether the journal at the path is the one that this store wrote.
  package var ownsJournal: Bool {
    database.journalIdentity.map { FileIdentity(database.path + "-wal") == $0 } ?? false
  }
}

extension EventStore {
  /// Records damage that was found in a copy of the file; see ``onFault``.
  package func noteDamage(_ detail: String) { _ = database.damaged(detail) }
}
