import CalendarStore
import CivilTime
import Platform

/// The zone of the machine, followed: /etc/localtime is replaced when the user
/// travels, the files under zoneinfo when a government changes its mind.
///
/// Files are replaced in several steps, and wrong ones are soon corrected. So they are read when
/// none has changed for a moment:
///
///     rm /etc/localtime    ln -s …/Tokyo    ln -sf …/Paris    2 s later
///     ──────┴────────────────────┴────────────────┴──────────────┴── the zone is Paris
final class ZoneFollower {
  /// The zone by which days begin and floating events are placed.
  private(set) var rules: ZoneRules
  /// Runs after ``rules`` or those of any named zone changed.
  var onChange: ((Change) -> Void)?

  struct Change {
    /// The zone of the machine before.
    let former: ZoneRules
    /// The machine is in another zone.
    let isRenamed: Bool
    /// There are new zone data.
    let isDataNew: Bool
  }

  /// What to know the zone data by that ``rules`` are of.
  var planned: PlannedZone { planned(in: rules.name) }

  private let zones: ZoneinfoDirectory
  private let folder: String
  private let quietMilliseconds: Int
  private let loop: EventLoop
  private let log: Log
  private var watches: [DirectoryWatch] = []
  private var reading: Deadline?
  /// Whether zone data have changed that are still to be read.
  private var isDataNew = false

  /// An update of tzdata replaces hundreds of files, and a link that is replaced may be gone for a
  /// moment.
  static let usualQuietMilliseconds = 2000

  /// - Parameters:
  ///   - folder: where the link "localtime" is replaced.
  ///   - quietMilliseconds: for how long nothing may change before it is read.
  init(
    zones: ZoneinfoDirectory, folder: String, quietMilliseconds: Int, loop: EventLoop, log: Log
  ) {
    self.zones = zones
    self.folder = folder
    self.quietMilliseconds = quietMilliseconds
    self.loop = loop
    self.log = log
    let zone = zones.localZone()
    rules = zone.rules
    if let warning = zone.warning { log.warning(warning) }
  }

  func start() {
    watch(folder) { [unowned self] change in
      if change.isOverflowed || !Set(change.names).isDisjoint(with: ["localtime", "timezone"]) {
        readSoon()
      }
    }
    watch(zones.path) { [unowned self] _ in
      isDataNew = true
      readSoon()
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

  /// Takes the zone that the agent had when it last ran, if the machine names none at this start:
  /// /etc/localtime is missing, or is a copy of that zone.
  ///
  /// - Parameter name: of that zone.
  /// - Returns: whether ``rules`` are others now.
  func resume(from name: String) -> Bool {
    guard name != rules.name, let former = try? zones.rules(named: name) else { return false }
    let zone = zones.localZone(after: former)
    guard zone.rules.name != rules.name else { return false }
    rules = zone.rules
    log.notice("the time zone is \(rules.name), as it was when the agent last ran")
    return true
  }

  private func readSoon() {
    if let reading { loop.cancel(reading) }
    reading = loop.after(milliseconds: quietMilliseconds) { [weak self] in
      self?.reading = nil
      self?.read()
    }
  }

  private func read() {
    let former = rules
    if isDataNew { log.notice("the time zone data has changed") }
    zones.reload()
    let zone = zones.localZone(after: former)
    if let warning = zone.warning { log.warning(warning) }
    rules = zone.rules
    let change = Change(
      former: former, isRenamed: rules.name != former.name, isDataNew: isDataNew)
    isDataNew = false
    if change.isRenamed { log.notice("the time zone is \(rules.name) now") }
    // /etc/localtime may be a copy, and another one now.
    guard change.isRenamed || change.isDataNew || !rules.agrees(with: former) else { return }
    onChange?(change)
  }
}
