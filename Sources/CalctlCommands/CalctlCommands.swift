// The first file of CalctlCommands.
