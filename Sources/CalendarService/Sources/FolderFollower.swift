import CalendarBus
import Platform

/// Notices when other programs change the folders of sources.
///
/// It waits until nothing has changed for a moment: vdirsyncer writes many files in a row. What it
/// misses, such as on a network's file system, the next run at the source's interval finds.
final class FolderFollower {
  private let loop: EventLoop
  private let log: Log
  private let onChange: (String) -> Void
  private var watches: [String: [DirectoryWatch]] = [:]
  private var folders: [String: [String]] = [:]
  private var waiting: [String: Deadline] = [:]

  private static let quietMilliseconds = 300

  /// - Parameter onChange: called with the ID of a source when its folders have changed.
  init(loop: EventLoop, log: Log, onChange: @escaping (String) -> Void) {
    self.loop = loop
    self.log = log
    self.onChange = onChange
  }

  /// Watches these folders of a source, instead of those before.
  func follow(_ id: String, _ paths: [String]) {
    guard folders[id] != paths else { return }
    folders[id] = paths
    watches[id] = paths.compactMap { path in
      do throws(SystemError) {
        return try DirectoryWatch(path, on: loop) { [unowned self] change in
          // A folder that comes back is another one.
          if change.isDirectoryGone { folders[id] = nil }
          changed(id)
        }
      } catch {
        log.warning(localized(error.text))
        return nil
      }
    }
  }

  /// Stops watching the folders of a source.
  func forget(_ id: String) {
    (watches[id], folders[id]) = (nil, nil)
    if let deadline = waiting.removeValue(forKey: id) { loop.cancel(deadline) }
  }

  func forgetAll() {
    for id in folders.keys { forget(id) }
  }

  private func changed(_ id: String) {
    if let deadline = waiting[id] { loop.cancel(deadline) }
    waiting[id] = loop.after(milliseconds: FolderFollower.quietMilliseconds) { [weak self] in
      // The loop outlives an agent that begins again.
      self?.waiting[id] = nil
      self?.onChange(id)
    }
  }
}
