/// An interface as data: what is called, with which types. It says nothing of how a call is
/// answered, so that a service and its clients can share it; see ``BoundInterface``.
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

  /// A remark for generators of code, such as `org.gtk.GDBus.C.UnixFD`.
  package struct Annotation: Hashable, Sendable {
    /// What it is about, spelled like an interface.
    package var name: String
    /// What it says.
    package var value: String

    /// Makes an annotation.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// GDBus generates code with descriptors for a method that has this.
    package static let carriesDescriptors = Annotation("org.gtk.GDBus.C.UnixFD", "true")
  }

  /// A method.
  package struct Method: Hashable, Sendable {
    /// Its name.
    package var name: MemberName
    /// What a caller sends.
    package var input: [Argument]
    /// What comes back.
    package var output: [Argument]
    /// Remarks.
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

    /// The types of what comes back.
    package var outputSignature: Signature {
      Signature(unchecked: output.map(\.signature.text).joined())
    }
  }

  /// How a change of a property is told.
  ///
  /// Source: D-Bus Specification, "Introspection Data Format", `EmitsChangedSignal`.
  package enum EmitsChanged: String, Hashable, Sendable {
    /// PropertiesChanged carries the new value.
    case value = "true"
    /// PropertiesChanged says that it changed.
    case invalidates
    /// It never changes.
    case const
    /// Changes are not told.
    case never = "false"
  }

  /// A property. All are read only: what changes something is a method.
  package struct Property: Hashable, Sendable {
    /// Its name.
    package var name: MemberName
    /// Its type, one complete type.
    package var signature: Signature
    /// How its changes are told.
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
    /// What it carries.
    package var arguments: [Argument]

    /// Makes a signal.
    package init(_ name: MemberName, _ arguments: [Argument] = []) {
      self.name = name
      self.arguments = arguments
    }

    /// The types of what it carries.
    package var signature: Signature {
      Signature(unchecked: arguments.map(\.signature.text).joined())
    }
  }

  /// Its name.
  package var name: InterfaceName
  /// Its methods, in the order in which they are shown.
  package var methods: [Method]
  /// Its properties, likewise.
  package var properties: [Property]
  /// Its signals, likewise.
  package var signals: [Signal]

  /// Makes a table. Members of one kind have different names, and types are single: a table that breaks
  /// this is a programming error.
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
