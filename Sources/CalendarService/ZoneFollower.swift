import CivilTime
import Platform

/// The zone of the machine, followed: /etc/localtime is replaced when the user
/// travels, the files under zoneinfo when a government changes its mind.
final class ZoneFollower {
  /// The zone by which days begin and floating events are placed.
  private(set) var rules: ZoneRules
  /// Runs after ``rules`` or those of any named zone changed.
  var onChange: ((_ isRenamed: Bool) -> Void)?

  private let zones: ZoneinfoDirectory
  private let folder: String
  private let loop: EventLoop
  private let log: Log
  private var watches: [DirectoryWatch] = []
  private var reload: Deadline?

  /// An update of tzdata replaces hundreds of files: it is read when none has
  /// come for so long.
  private static let quietMilliseconds = 2000

  /// - Parameter folder: where the link "localtime" is replaced.
  init(zones: ZoneinfoDirectory, folder: String, loop: EventLoop, log: Log) {
    self.zones = zones
    self.folder = folder
    self.loop = loop
    self.log = log
    let zone = zones.localZone()
    rules = zone.rules
    if let warning = zone.warning { log.warning(warning) }
  }

  func start() {
    watch(folder) { [unowned self] change in
      if change.isOverflowed || !Set(change.names).isDisjoint(with: ["localtime", "timezone"]) {
        read(isDataChanged: false)
      }
    }
    watch(zones.path) { [unowned self] _ in
      if let reload { loop.cancel(reload) }
      reload = loop.after(milliseconds: ZoneFollower.quietMilliseconds) { [unowned self] in
        reload = nil
        log.notice("the time zone data has changed")
        read(isDataChanged: true)
      }
    }
  }

  private func watch(_ path: String, _ handler: @escaping (DirectoryWatch.Change) -> Void) {
    do throws(SystemError) {
      watches.append(try DirectoryWatch(path, on: loop, handler: handler))
    } catch {
      log.warning("changes of the time zone in \(path) are not noticed: \(error)")
    }
  }

  private func read(isDataChanged: Bool) {
    zones.reload()
    let zone = zones.localZone()
    let isRenamed = zone.rules.name != rules.name
    guard isRenamed || isDataChanged else { return }
    if let warning = zone.warning { log.warning(warning) }
    if isRenamed { log.notice("the time zone is \(zone.rules.name) now") }
    rules = zone.rules
    onChange?(isRenamed)
  }
}
