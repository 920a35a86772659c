import CalendarService
import Glibc

exit(AgentProgram.run(arguments: Array(CommandLine.arguments.dropFirst())).rawValue)
