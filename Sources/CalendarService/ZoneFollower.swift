import CalendarStore
import CivilTime
import Platform

/// The zone of the machine, followed: /etc/localtime is replaced when the user
/// travels, the files under zoneinfo when a government changes its mind.
final class ZoneFollower {
  /// The zone by which days begin and floating events are placed.
  private(set) var rules: ZoneRules
  /// Runs after ``rules`` or those of any named zone changed.
  var onChange: ((Change) -> Void)?

  struct Change {
    /// The machine is in another zone.
    let isRenamed: Bool
    /// There are new zone data.
    let isDataNew: Bool
  }

  /// What to know the zone data by that ``rules`` are of.
  var planned: PlannedZone { planned(in: rules.name) }

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
        read(isDataNew: false)
      }
    }
    watch(zones.path) { [unowned self] _ in
      if let reload { loop.cancel(reload) }
      reload = loop.after(milliseconds: ZoneFollower.quietMilliseconds) { [unowned self] in
        reload = nil
        log.notice("the time zone data has changed")
        read(isDataNew: true)
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

  /// What one knows the installed zone data by, seen from a zone.
  func planned(in name: String) -> PlannedZone {
    PlannedZone(name: name, fingerprint: zones.fingerprint(ofZone: name))
  }

  private func read(isDataNew: Bool) {
    zones.reload()
    let zone = zones.localZone()
    let isRenamed = zone.rules.name != rules.name
    // /etc/localtime may be a copy, and another one now.
    let isSame = zone.rules.agrees(with: rules)
    guard isRenamed || isDataNew || !isSame else { return }
    if let warning = zone.warning { log.warning(warning) }
    if isRenamed { log.notice("the time zone is \(zone.rules.name) now") }
    rules = zone.rules
    onChange?(Change(isRenamed: isRenamed, isDataNew: isDataNew))
  }
}
