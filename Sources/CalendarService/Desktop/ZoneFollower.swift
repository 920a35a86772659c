import CalendarStore
import CivilTime
import Platform

/// Watches the time zone of the machine.
///
/// /etc/localtime is replaced when the user travels, the files under zoneinfo when a government
/// changes its rules.
///
/// Files are replaced in several steps, and mistakes are soon corrected. So they are read after a
/// pause without changes:
///
///     rm /etc/localtime    ln -s …/Tokyo    ln -sf …/Paris    2 s later
///     ──────┴────────────────────┴────────────────┴──────────────┴── the zone is Paris
final class ZoneFollower {
  /// The zone of days and floating events.
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

  /// The fingerprint of the zone data of ``rules``.
  var planned: PlannedZone { planned(in: rules.name) }

  private let zones: ZoneinfoDirectory
  private let folder: String
  private let quietMilliseconds: Int
  private let loop: EventLoop
  private let log: Log
  private var watches: [DirectoryWatch] = []
  private var reading: Deadline?
  /// Whether there are changed zone data to read.
  private var isDataNew = false

  /// The usual wait: an update of tzdata replaces hundreds of files, and links may be missing.
  static let usualQuietMilliseconds = 2000

  /// - Parameters:
  ///   - folder: the folder of the link "localtime".
  ///   - quietMilliseconds: how long nothing may change before the zone is read.
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
      log.warning(
        localized(
          "changes of the time zone in {folder} are not noticed: {reason}",
          ["folder": path, "reason": error.text]))
    }
  }

  /// Returns the fingerprint of the installed data of a zone.
  func planned(in name: String) -> PlannedZone {
    PlannedZone(name: name, fingerprint: zones.fingerprint(ofZone: name))
  }

  /// Takes the zone of the agent's last run, if the machine does not name a zone now.
  ///
  /// That is if /etc/localtime is missing, or is a copy of that zone.
  ///
  /// - Parameter name: the zone of the last run.
  /// - Returns: whether ``rules`` changed.
  func resume(from name: String) -> Bool {
    guard name != rules.name, let former = try? zones.rules(named: name) else { return false }
    let zone = zones.localZone(after: former)
    guard zone.rules.name != rules.name else { return false }
    rules = zone.rules
    log.notice(
      localized(
        "the time zone is still {zone}, as at the agent's last run", ["zone": rules.name]))
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
    if isDataNew { log.notice(localized("the time zone data has changed")) }
    zones.reload()
    let zone = zones.localZone(after: former)
    if let warning = zone.warning { log.warning(warning) }
    rules = zone.rules
    let change = Change(
      former: former, isRenamed: rules.name != former.name, isDataNew: isDataNew)
    isDataNew = false
    if change.isRenamed {
      log.notice(localized("the time zone is now {zone}", ["zone": rules.name]))
    }
    // /etc/localtime may be a copy, which changes without a new name.
    guard change.isRenamed || change.isDataNew || !rules.agrees(with: former) else { return }
    onChange?(change)
  }
}
