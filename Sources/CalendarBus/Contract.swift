package import DBus

/// The names and limits of the contract.
package enum Contract {
  package static let busName: BusName = "org.datebook.Calendar1"
  package static let path: ObjectPath = "/org/datebook/Calendar1"

  package static let calendar: InterfaceName = "org.datebook.Calendar1"
  package static let events: InterfaceName = "org.datebook.Calendar1.Events"
  package static let calendars: InterfaceName = "org.datebook.Calendar1.Calendars"
  package static let reminders: InterfaceName = "org.datebook.Calendar1.Reminders"
  package static let transfer: InterfaceName = "org.datebook.Calendar1.Transfer"
  package static let database: InterfaceName = "org.datebook.Calendar1.Database"
  package static let sync: InterfaceName = "org.datebook.Calendar1.Sync"

  /// An interface between status bars; the agent does not use it.
  package static let bar: InterfaceName = "org.datebook.Calendar1.Bar"
  package static let barName: BusName = "org.datebook.Calendar1.Bar"
  package static let barPath: ObjectPath = "/org/datebook/Calendar1/Bar"

  /// The version of the programs.
  package static let version = "0.2.0"

  /// The most rows in one answer.
  package static let maximumRows = 5000
  /// The default number of rows in a page.
  package static let defaultRows = 500
  /// The default number of rows in a page of Search.
  ///
  /// The most relevant come first, so few callers need more. While the bus transfers a large
  /// answer, all other answers wait.
  package static let defaultFound = 50
  /// How far ahead reminders are known, in hours: a month of 31 days.
  package static let maximumUpcomingHours: UInt32 = 744
  /// The most text in one call, in bytes.
  package static let maximumText = 4 << 20
  /// The word for the working hours of the agent's settings.
  package static let workingHours = "working"
  /// The beginning of Export's error when the pipe has no reader any more, in every language.
  package static let readerHasGone = "fd: the reader has gone"  // not translated
  /// What the error of Import for a file without its end contains, in every language.
  package static let fileIsCutOff = "END:VCALENDAR"
  /// The beginning of a problem that prevents notifications, in every language.
  package static let noNotification = "no notification"
  /// The prefix of Import's counts for one calendar, before its ID.
  package static let calendarCountPrefix = "calendar/"
  /// The most bytes of one import.
  package static let maximumImport = 256 << 20
}
