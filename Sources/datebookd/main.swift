import CalendarService

AgentProgram.main()
