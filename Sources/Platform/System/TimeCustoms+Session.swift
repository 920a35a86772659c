package import CivilTime

extension TimeCustoms {
  /// The customs of this process's session.
  package static let current = TimeCustoms(.current)

  /// The customs of the territory of LC_TIME, with the clock of datebook.conf.
  package init(_ environment: ProcessEnvironment) {
    self.init(territory: environment.timeTerritory)
    // The agent reports a value that is not understood.
    _ = setClock(SettingsText.value(ofCalendar: "clock", environment))
  }

  /// Sets the clock to the setting `clock` of datebook.conf; false if it is not understood.
  package mutating func setClock(_ setting: String) -> Bool {
    switch setting {
    case "12": usesTwentyFourHours = false
    case "24": usesTwentyFourHours = true
    case "auto": break
    default: return false
    }
    return true
  }
}
