import CalendarStore
import CivilTime
import Messages
import Platform

/// The daily backups: a copy of the database on each day, if it has changed since the last one.
///
/// The copy is made in batches on the loop, so that calls are answered in between; another thread
/// checks it and writes it to its file. A damaged copy never becomes a backup.
final class BackupKeeper {
  let folder: BackupFolder
  private let loop: EventLoop
  private let log: Log
  private let delayMilliseconds: Int
  private let store: () -> EventStore?
  private let today: () -> CivilDate
  private var waiting: Deadline?
  private var isBusy = false
  /// The store that is being copied.
  private weak var copied: EventStore?

  /// The wait while something writes without a pause, such as an import.
  private static let retryMilliseconds = 1000

  /// - Parameters:
  ///   - delayMilliseconds: the wait between ``takeSoon()`` and the backup.
  ///   - store: the store that may be copied now; nil if there is none.
  init(
    folder: BackupFolder, loop: EventLoop, log: Log, delayMilliseconds: Int,
    store: @escaping () -> EventStore?, today: @escaping () -> CivilDate
  ) {
    self.folder = folder
    self.loop = loop
    self.log = log
    self.delayMilliseconds = delayMilliseconds
    self.store = store
    self.today = today
  }

  /// Makes today's backup after a delay, if it is due then.
  func takeSoon() {
    guard waiting == nil, !isBusy else { return }
    waiting = loop.after(milliseconds: delayMilliseconds) { [weak self] in
      self?.waiting = nil
      self?.takeIfDue()
    }
  }

  private func takeIfDue() {
    guard let store = store(), store.revision > 0 else { return }
    let daily = folder.all().filter { $0.kind == .daily }
    let id = today().description
    if daily.contains(where: { $0.id == id }) { return }
    if let newest = daily.first {
      let summary = try? EventStore.summary(ofFile: folder.file(of: newest.id))
      if summary?.revision == store.revision { return }
    }
    isBusy = true
    copied = store
    do {
      try folder.make()
      let path = "\(folder.path)/.copy"
      for name in BackupKeeper.unfinished { try DatabaseFiles.make("\(folder.path)/\(name)") }
      copyMore(try DatabaseCopy(of: store, to: path), path, id)
    } catch {
      end(failure: UserText(error))
    }
  }

  private func copyMore(_ copy: DatabaseCopy, _ path: String, _ id: String) {
    do throws(StoreError) {
      switch try copy.copySome() {
      case .goesOn: loop.beforeWaiting { [weak self] in self?.copyMore(copy, path, id) }
      case .waits:
        loop.after(milliseconds: BackupKeeper.retryMilliseconds) { [weak self] in
          self?.copyMore(copy, path, id)
        }
      case .isDone: check(path, id)
      }
    } catch {
      end(failure: UserText(error))
    }
  }

  private func check(_ copy: String, _ id: String) {
    let new = "\(folder.path)/.new"
    do throws(SystemError) {
      _ = try WorkerThread<Never, StoreError?>(on: loop) { side in
        do throws(StoreError) {
          try EventStore.checkAndCompact(copy, into: new)
          side.tell(nil)
        } catch {
          side.tell(error)
        }
      } told: { [weak self] error in
        self?.checked(new, id, error)
      }
    } catch {
      end(failure: UserText(error))
    }
  }

  private func checked(_ new: String, _ id: String, _ error: StoreError?) {
    if let error {
      if case .corrupt(_, let detail) = error, store() === copied { copied?.noteDamage(detail) }
      return end(failure: UserText(error))
    }
    do throws(SystemError) {
      try FileNames.move(new, to: folder.file(of: id))
      for old in Backup.expired(folder.all()) { try AtomicFile.remove(folder.file(of: old.id)) }
      end(failure: nil)
    } catch {
      end(failure: UserText(error))
    }
  }

  private func end(failure: UserText?) {
    isBusy = false
    removeLeftovers()
    guard let failure else { return }
    log.error(localized("today's backup could not be made: {reason}", ["reason": failure]))
  }

  /// Removes the files of an unfinished backup, also those of an agent that was killed.
  private func removeLeftovers() {
    for name in BackupKeeper.unfinished { DatabaseFiles.remove("\(folder.path)/\(name)") }
  }

  /// The copy that is made in batches, and the checked copy of it.
  private static let unfinished = [".copy", ".new"]
}
