import CalctlCommands

Calctl.main()
