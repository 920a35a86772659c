// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target; Sources/README.md says what each of them keeps true.
let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// One build serves the programs and their tests, so that everything is compiled once: the sources as
/// they are shipped, the tests as quickly as possible. The compiler's note of its work for the next time
/// would make the programs differ with the folder of the checkout.
let shipped: [SwiftSetting] = [
  .unsafeFlags(
    ["-Osize", "-enable-testing", "-Xfrontend", "-disable-incremental-llvm-codegen"],
    .when(configuration: .release))
]

/// One job for each: another one for its interface would do a tenth of the work again.
let quickly: [SwiftSetting] = [
  .unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))
]

/// With Swift's runtime inside, small and stripped.
let selfContained: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-Xclang-linker", "-static-libgcc", "-Xlinker", "--gc-sections", "-Xlinker",
      "--icf=safe", "-Xlinker", "-s",
    ], .when(configuration: .release))
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: house + shipped)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, swiftSettings: house + shipped,
    linkerSettings: selfContained)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude,
    resources: resources, swiftSettings: house + quickly)
}

/// What the agent's tests use. They are three targets: as one they would be compiled for minutes after all else.
let agent: [Target.Dependency] = [
  "CalendarService", "CalendarBus", "CalendarImport", "CalendarModel", "CivilTime", "DBus",
  "ICalendar", "JSON", "Messages", "Phrases", "Platform", "Recurrence", "Reminders", "Sync",
  "Tables", "CalendarStore", "Widgets",
]
let agentAndSupport = agent + ["AgentSupport", "HostileClient"]

let package = Package(
  name: "datebook",
  products: [
    .executable(name: "datebookd", targets: ["datebookd"]),
    .executable(name: "calctl", targets: ["calctl"]),
    .executable(name: "datebook-sync", targets: ["datebook-sync"]),
  ],
  targets: [
    // Pure
    library("CivilTime", ["Messages"]),
    library("Recurrence", ["CivilTime", "Messages"]),
    library("CalendarModel", ["CivilTime", "Recurrence", "Messages"]),
    library("ICalendar", ["CivilTime", "Recurrence", "CalendarModel", "Messages"]),
    library("Tables", ["CivilTime", "Recurrence", "CalendarModel", "ICalendar", "Messages"]),
    library(
      "CalendarImport",
      ["CivilTime", "Recurrence", "CalendarModel", "ICalendar", "Messages", "Tables"]),
    library("Phrases", ["CivilTime", "Recurrence", "CalendarModel", "Messages"]),
    library("Reminders", ["CivilTime", "CalendarModel", "Messages"]),
    library("Sync", ["CivilTime", "CalendarModel", "ICalendar", "JSON", "Messages"]),
    library("JSON", ["Messages"]),
    library("Messages"),
    library("Widgets", ["CivilTime", "CalendarModel", "JSON", "Messages"]),

    // Walls
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    library("Platform", ["CivilTime", "Messages", "CLinux"]),
    library(
      "CalendarStore", ["CivilTime", "Recurrence", "CalendarModel", "Messages", "CSQLite"]),
    library("DBus", ["Messages", "CDBus"]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    library(
      "Remotes",
      [
        "CivilTime", "CalendarModel", "ICalendar", "Sync", "JSON", "Messages", "Platform", "CCurl",
        "CExpat",
      ]),

    // Assembly
    library(
      "CalendarBus", ["CivilTime", "Recurrence", "CalendarModel", "JSON", "DBus", "Platform"]),
    library(
      "CalendarService",
      [
        "CivilTime", "Recurrence", "CalendarModel", "ICalendar", "Tables", "CalendarImport",
        "Phrases", "Reminders", "Sync", "JSON", "Messages", "Widgets", "Platform", "CalendarStore",
        "DBus", "CalendarBus",
      ]),
    library(
      "CalctlCommands",
      [
        "CivilTime", "Recurrence", "CalendarModel", "Phrases", "JSON", "Messages", "Widgets",
        "Platform", "DBus", "CalendarBus",
      ]),

    // Programs
    program("datebookd", ["CalendarService"]),
    program("calctl", ["CalctlCommands"]),
    program("datebook-sync", ["Remotes"]),

    // Tests
    .target(
      name: "TestSupport", dependencies: ["CivilTime", "Recurrence", "Messages", "DBus", "CLinux"],
      path: "Tests/TestSupport",
      exclude: ["Servers/google.py", "silentfs.py"], resources: [.copy("Zoneinfo")],
      swiftSettings: house + quickly),
    tests("CivilTimeTests", ["CivilTime", "Messages"]),
    tests(
      "RecurrenceTests", ["Recurrence", "CivilTime", "JSON", "Messages"],
      exclude: ["DISPUTED.md", "Oracles"], resources: [.copy("Corpus")]),
    tests(
      "CalendarModelTests", ["CalendarModel", "CivilTime", "Recurrence"],
      resources: [.copy("Corpus")]),
    tests(
      "ICalendarTests",
      ["ICalendar", "CalendarModel", "CivilTime", "Recurrence", "JSON", "Messages"],
      exclude: ["Oracles"], resources: [.copy("Corpus")]),
    tests("TablesTests", ["Tables", "CalendarModel", "CivilTime", "ICalendar"]),
    tests(
      "PhrasesTests", ["Phrases", "CivilTime", "Recurrence", "CalendarModel", "JSON", "Messages"],
      resources: [.copy("Corpus")]),
    tests("RemindersTests", ["Reminders", "CalendarModel", "CivilTime", "Recurrence"]),
    tests("SyncTests", ["Sync", "ICalendar", "CivilTime", "JSON", "Messages"]),
    tests("JSONTests", ["JSON"]),
    tests("MessagesTests", ["Messages"]),
    tests(
      "WidgetsTests", ["Widgets", "CalendarModel", "CivilTime", "JSON", "Messages"],
      resources: [.copy("Golden")]),
    tests("PlatformTests", ["Platform", "CivilTime", "Messages", "CLinux"]),
    tests(
      "CalendarStoreTests",
      ["CalendarStore", "CalendarModel", "CivilTime", "Messages", "Recurrence"],
      resources: [.copy("Schemas")]),
    tests("DBusTests", ["DBus", "HostileClient"]),
    tests(
      "RemotesTests",
      ["Remotes", "Sync", "JSON", "CalendarModel", "CivilTime", "ICalendar"],
      exclude: ["Support/faults.py", "Support/mediaservers.py"],
      resources: [.copy("Releases/Samples")]),
    tests(
      "CalendarBusTests",
      ["CalendarBus", "CalendarModel", "CivilTime", "DBus", "JSON", "Platform", "Recurrence"]),
    tests(
      "CalendarImportTests",
      ["CalendarImport", "CalendarModel", "CivilTime", "ICalendar", "Messages"]),
    .target(
      name: "AgentSupport", dependencies: agent + ["TestSupport"], path: "Tests/AgentSupport",
      swiftSettings: house + quickly + [.unsafeFlags(["-enable-testing"])]),
    tests("CalendarServiceTests", agentAndSupport),
    tests("AgentReminderTests", agentAndSupport),
    tests("AgentExchangeTests", agentAndSupport, exclude: ["Sources/faultproxy.py"]),
    tests(
      "CalctlTests",
      [
        "CalctlCommands", "CalendarBus", "CalendarModel", "CivilTime", "DBus", "JSON", "Platform",
        "Widgets",
      ]),
    tests(
      "DesktopTests", [],
      exclude: [
        "desktop.sh", "waybar.sh", "sway.sh", "bars.sh", "gnome.sh", "dunst.sh", "install.sh",
        "servers.sh", "plasma.sh", "pictures.sh", "pointer.py", "wayland.py",
      ]),
    tests("LayoutTests", []),
    .executableTarget(
      name: "HostileClient", dependencies: ["DBus", "TestSupport"], path: "Tests/HostileClient",
      swiftSettings: house + quickly),
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["Recurrence", "CivilTime", "CalendarModel", "Widgets", "DBus"],
      path: "Tests/Benchmarks",
      exclude: [
        "Peers", "README.md", "Rules.tsv", "hostile.py", "run-counts", "run-import", "run-peers",
        "run-reminders", "run-service", "run-sync", "run-widgets", "sync.py", "widgets.py",
      ],
      swiftSettings: house),
  ]
)
