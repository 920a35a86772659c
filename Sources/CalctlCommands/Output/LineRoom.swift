import Platform
import Widgets

/// The columns that a title and what follows it have in a line of a list.
enum LineRoom {
  /// Fewer columns than that are no title: other columns are left out instead.
  static let leastTitle = 18

  /// Returns a title, its remarks and its place, cut to the columns of a terminal.
  ///
  /// First the place goes, then the end of the title, and last the remarks.
  ///
  /// - Parameters:
  ///   - columns: nil cuts nothing.
  ///   - remarks: As they are printed, with their brackets.
  ///   - place: Likewise.
  static func cut(
    title: String, remarks: String, place: String, to columns: Int?
  ) -> (title: String, remarks: String, place: String) {
    guard let columns, title.columns + remarks.columns + place.columns > columns else {
      return (title, remarks, place)
    }
    let room = columns - remarks.columns
    // Blanks and a bracket alone say nothing of a place.
    let placeRoom = room - title.columns
    if placeRoom >= leastPlace {
      return (title, remarks, shortened(place, toColumns: placeRoom))
    }
    if room >= min(leastRemarked, title.columns) {
      return (shortened(title, toColumns: room), remarks, "")
    }
    return (shortened(title, toColumns: max(1, columns)), "", "")
  }

  private static let leastPlace = 8
  private static let leastRemarked = 8
}
