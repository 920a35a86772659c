/// What imports and exports use of the agent.
struct TransferAccess {
  let context: AgentContext
  let storage: Storage
  let agenda: AgendaSource
  // unowned: server → ImportObject → this → changes → bus → server would be a cycle.
  unowned let changes: ChangeRunner
  let staging: StagingState
  let sweeper: StoreSweeper
  let transfers: OpenTransfers
  let descriptors: CallerDescriptors
  let memory: MemoryReclaimer
}
