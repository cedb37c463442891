/** Why a task has no answer:
 *  - `time`, `memory`: it went over a limit, so its process was ended. The task is at fault and is not tried again;
 *  - `crash`: its process died, and so did the one that tried the task again. The task is at fault;
 *  - `killed`: the same, but somebody else killed the process, for example Linux when it had no memory left. The task
 *    may be harmless;
 *  - `down`: no process starts;
 *  - `closing`: the pool closes. */
export type FaultReason = 'time' | 'memory' | 'crash' | 'killed' | 'down' | 'closing'

export class TaskFault extends Error {
  override readonly name = 'TaskFault'
  readonly reason: FaultReason

  constructor(reason: FaultReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}
