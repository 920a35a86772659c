import CalendarBus
import CivilTime
import DBus
import Widgets

/// What people call the events of a change: title and day, also of those that are in the
/// trash.
final class EventTitles {
  private let context: CommandContext
  private var known: [String: String] = [:]
  private var trash: [Row]?

  init(_ context: CommandContext) {
    self.context = context
  }

  /// Returns "Lunch (Mon 7 Jan 2030)" for one event, "Lunch (Mon 7 Jan 2030) and 2 more" for
  /// several; an event that is nowhere goes by its ID. "" for none.
  ///
  /// - Parameters:
  ///   - uids: the first of them.
  ///   - count: how many they are.
  ///   - isRemoved: whether they are in the trash, if anywhere: another calendar may have an
  ///     event of that ID.
  func text(
    _ uids: [String], count: Int, isRemoved: Bool = false
  ) throws(CommandError) -> String {
    guard let first = uids.first, count > 0 else {
      return count > 0 ? "\(count) events" : ""
    }
    let title = try self.title(first, isRemoved: isRemoved) ?? displayLine(first)
    return count == 1 ? title : "\(title) and \(count - 1) more"
  }

  /// Returns an event's title and day; nil for one that is nowhere.
  private func title(_ uid: String, isRemoved: Bool) throws(CommandError) -> String? {
    var row = isRemoved ? try removed(uid) : nil
    if row == nil, let title = known[uid] { return title }
    if row == nil {
      do throws(CommandError) {
        row = try context.client().event(uid, occurrence: "")
      } catch  where error.isNotFound {
        row = try removed(uid)
      } catch {
        throw error
      }
    }
    guard let row else { return nil }
    let summary = displayLine(row.text(.summary))
    var title = summary.isEmpty ? "(no title)" : summary
    if row[.start] != nil {
      title += " (\(DayNames.full(AgendaItem(row, zone: try context.zone()).firstDay)))"
    }
    known[uid] = title
    return title
  }

  private func removed(_ uid: String) throws(CommandError) -> Row? {
    if trash == nil { trash = try context.client().trash(limit: UInt32(Contract.maximumRows)) }
    return trash?.first { $0.text(.uid) == uid }
  }
}
