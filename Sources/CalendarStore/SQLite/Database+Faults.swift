internal import CSQLite

/// The identity of a file, which stays the same when the file is renamed.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64

  /// nil where no file is there, or it cannot be asked.
  init?(_ path: String) {
    guard case .file(let identity) = FileIdentity.ask(path) else { return nil }
    self = identity
  }

  enum Answer: Equatable {
    case file(FileIdentity)
    case none
    /// The disk does not say, which is no reason to believe that the file is gone.
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

/// What makes a file one that must not be written any more: it is damaged, or it is no longer the
/// one at its path.
extension Database {
  /// Checks that the file may be written; every transaction begins with it.
  ///
  /// What is written to a file that was replaced or removed would be lost, and the journal would be
  /// read into the file that took its place.
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

  /// Takes note that nothing may be written any more; the first reason stays.
  func note(fault new: StoreError) {
    guard fault == nil, identity != nil else { return }
    fault = new
    onFault?(new)
  }

  /// Makes the error for a row whose content contradicts itself, and takes note of it.
  func damaged(_ detail: String) -> StoreError {
    let error = StoreError.corrupt(path: path, detail: detail)
    note(fault: error)
    return error
  }

  /// - Throws: ``StoreError/failed(code:message:sql:)`` after ``close()``.
  func requireOpen() throws(StoreError) {
    guard handle == nil else { return }
    throw .failed(code: SQLITE_MISUSE, message: "the database was closed", sql: "")
  }
}

extension StoreError {
  /// Whether it says that the content of the file is damaged.
  var isDamage: Bool {
    if case .corrupt = self { return true }
    return false
  }
}

extension EventStore {
  /// Runs once when the file was found to be damaged, or not to be at its path any more. It may be
  /// in the middle of a call: whoever closes the store does so later.
  package var onFault: ((StoreError) -> Void)? {
    get { database.onFault }
    set { database.onFault = newValue }
  }

  /// Checks that the file is still the one at its path; see ``onFault``.
  package func checkFile() { try? database.requireSound() }

  /// Whether the journal at the path is the one that this store has written.
  package var ownsJournal: Bool {
    database.journalIdentity.map { FileIdentity(database.path + "-wal") == $0 } ?? false
  }
}

extension EventStore {
  /// Takes note of damage that was found in a copy of the file; see ``onFault``.
  package func noteDamage(_ detail: String) { _ = database.damaged(detail) }
}
