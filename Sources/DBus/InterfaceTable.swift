/// An interface as data: its members and their types.
///
/// It does not contain handlers, so that a service and its clients can share it; see
/// ``BoundInterface``.
package struct InterfaceTable: Hashable, Sendable {
  /// A named argument of a method or a signal.
  package struct Argument: Hashable, Sendable {
    /// Its name, for people and for generated code.
    package var name: String
    /// Its type, one complete type.
    package var signature: Signature

    /// Makes an argument.
    package init(_ name: String, _ signature: Signature) {
      self.name = name
      self.signature = signature
    }
  }

  /// An annotation for code generators, such as `org.gtk.GDBus.C.UnixFD`.
  package struct Annotation: Hashable, Sendable {
    /// The name, spelled like an interface.
    package var name: String
    /// The value.
    package var value: String

    /// Makes an annotation.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// Makes GDBus generate code with descriptors for a method.
    package static let carriesDescriptors = Annotation("org.gtk.GDBus.C.UnixFD", "true")
  }

  /// A method.
  package struct Method: Hashable, Sendable {
    /// Its name.
    package var name: MemberName
    /// What a caller sends, in order.
    package var input: [Argument]
    /// What the reply contains, in order.
    package var output: [Argument]
    /// Annotations for code generators.
    package var annotations: [Annotation]

    /// Makes a method.
    package init(
      _ name: MemberName, in input: [Argument] = [], out output: [Argument] = [],
      annotations: [Annotation] = []
    ) {
      self.name = name
      self.input = input
      self.output = output
      self.annotations = annotations
    }

    /// The types of the reply.
    package var outputSignature: Signature {
      Signature(unchecked: output.map(\.signature.text).joined())
    }
  }

  /// How a change of a property is announced.
  ///
  /// Source: D-Bus Specification, "Introspection Data Format", `EmitsChangedSignal`.
  package enum EmitsChanged: String, Hashable, Sendable {
    /// PropertiesChanged carries the new value.
    case value = "true"
    /// PropertiesChanged names the property, without the value.
    case invalidates
    /// It never changes.
    case const
    /// Changes are not announced.
    case never = "false"
  }

  /// A property; all are read-only, since only methods change anything.
  package struct Property: Hashable, Sendable {
    /// Its name.
    package var name: MemberName
    /// Its type, one complete type.
    package var signature: Signature
    /// How its changes are announced.
    package var emits: EmitsChanged

    /// Makes a property.
    package init(_ name: MemberName, _ signature: Signature, emits: EmitsChanged = .value) {
      self.name = name
      self.signature = signature
      self.emits = emits
    }
  }

  /// A signal.
  package struct Signal: Hashable, Sendable {
    /// Its name.
    package var name: MemberName
    /// What it carries, in order.
    package var arguments: [Argument]

    /// Makes a signal.
    package init(_ name: MemberName, _ arguments: [Argument] = []) {
      self.name = name
      self.arguments = arguments
    }

    /// The types of the arguments.
    package var signature: Signature {
      Signature(unchecked: arguments.map(\.signature.text).joined())
    }
  }

  /// The name of the interface.
  package var name: InterfaceName
  /// The methods, in the order in which introspection shows them.
  package var methods: [Method]
  /// The properties, in the same way.
  package var properties: [Property]
  /// The signals, in the same way.
  package var signals: [Signal]

  /// Makes a table.
  ///
  /// - Precondition: Members of one kind have different names, and each type is one complete type.
  package init(
    _ name: InterfaceName, methods: [Method] = [], properties: [Property] = [],
    signals: [Signal] = []
  ) {
    self.name = name
    self.methods = methods
    self.properties = properties
    self.signals = signals
    let arguments =
      methods.flatMap { $0.input + $0.output } + signals.flatMap(\.arguments)
    for signature in arguments.map(\.signature) + properties.map(\.signature) {
      precondition(signature.isSingle, "\(name): \u{201C}\(signature)\u{201D} is not one type")
    }
    for names in [methods.map(\.name), properties.map(\.name), signals.map(\.name)] {
      precondition(Set(names).count == names.count, "\(name) has a member twice")
    }
  }

  /// Returns the method of that name; nil when there is none.
  package func method(_ name: MemberName) -> Method? { methods.first { $0.name == name } }

  /// Returns the property of that name; nil when there is none.
  package func property(_ name: MemberName) -> Property? { properties.first { $0.name == name } }

  /// Returns the signal of that name; nil when there is none.
  package func signal(_ name: MemberName) -> Signal? { signals.first { $0.name == name } }
}
