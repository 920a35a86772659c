import CalctlCommands
import Glibc

exit(Calctl.run(arguments: Array(CommandLine.arguments.dropFirst())).rawValue)
