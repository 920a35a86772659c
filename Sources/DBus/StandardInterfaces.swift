/// The interfaces that every object has.
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

  /// Answered by libdbus itself; here so that introspection shows it.
  static let peer = InterfaceTable(
    "org.freedesktop.DBus.Peer",
    methods: [.init("Ping"), .init("GetMachineId", out: [.init("machine_uuid", "s")])])

  /// Those that ``ObjectServer`` answers.
  static let served = [properties, introspectable]
  /// Those that introspection shows for an object.
  static let all = [properties, introspectable, peer]
  /// Those that introspection shows for a path with objects below and none of its own.
  static let ofParents = [introspectable, peer]
}
