/// The words of the property Features: abilities that introspection does not show.
func features(_ configuration: Configuration) -> [String] {
  ["calendar-in-uid", "natural-language:en", "natural-language:zh"]
    + ImportFormat.allCases.map { "import:\($0.rawValue)" }
    + ExportFormat.allCases.map { "export:\($0.rawValue)" }
    + (configuration.servesCinnamon ? ["cinnamon"] : [])
    + (configuration.servesGnome ? ["gnome-shell"] : [])
    + (configuration.showsNotifications ? ["notifications"] : [])
}
