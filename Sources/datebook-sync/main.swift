import Remotes

SyncProgram.main()
