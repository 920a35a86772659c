import DBus

/// The network, where NetworkManager says when it comes up. It is on the same bus as logind.
///
/// Source: NetworkManager's D-Bus API, "org.freedesktop.NetworkManager", StateChanged and NMState.
extension LoginWatch {
  private static let networkManager: BusName = "org.freedesktop.NetworkManager"
  /// NM_STATE_CONNECTED_SITE: more than this computer's own link, such as a server at home.
  private static let connected: Int64 = 60

  /// Subscribes to the state of the network.
  ///
  /// - Throws: ``DBusError`` if the bus is lost.
  func followNetwork(over connection: Connection) throws(DBusError) -> Subscription {
    try connection.subscribe(
      MatchRule(
        sender: LoginWatch.networkManager, path: "/org/freedesktop/NetworkManager",
        interface: "org.freedesktop.NetworkManager", member: "StateChanged")
    ) { [weak self] message in
      guard let values = try? message.arguments(limits: .request),
        let state = values.first?.asInteger, state >= LoginWatch.connected
      else { return }
      self?.onNetworkUp?()
    }
  }
}
