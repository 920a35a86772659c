/// The standard interfaces that objects have.
///
/// Source: D-Bus Specification, "Standard Interfaces".
enum StandardInterfaces {
  static let introspectable = InterfaceTable(
    "org.freedesktop.DBus.Introspectable",
    methods: [.init("Introspect", out: [.init("xml_data", "s")])])

  static let properties = InterfaceTable(
    "org.freedesktop.DBus.Properties",
    methods: [
      .init(
        "Get", in: [.init("interface_name", "s"), .init("property_name", "s")],
        out: [.init("value", "v")]),
      .init("GetAll", in: [.init("interface_name", "s")], out: [.init("properties", "a{sv}")]),
      .init(
        "Set",
        in: [
          .init("interface_name", "s"), .init("property_name", "s"), .init("value", "v"),
        ]),
    ],
    signals: [
      .init(
        "PropertiesChanged",
        [
          .init("interface_name", "s"), .init("changed_properties", "a{sv}"),
          .init("invalidated_properties", "as"),
        ])
    ])

  /// Answered by libdbus itself; listed here for introspection.
  static let peer = InterfaceTable(
    "org.freedesktop.DBus.Peer",
    methods: [.init("Ping"), .init("GetMachineId", out: [.init("machine_uuid", "s")])])

  /// The interfaces that ``ObjectServer`` answers.
  static let served = [properties, introspectable]
  /// The interfaces that introspection shows for an object.
  static let all = [properties, introspectable, peer]
  /// The interfaces that introspection shows for a path that only has objects below it.
  static let ofParents = [introspectable, peer]
}
