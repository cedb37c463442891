import type { Actor } from '../audit/audit-log.ts'
import type { Visitor } from './visitor.ts'

/** The caller, as the audit log records it. */
export function actorOf({ sessionId, address }: Visitor, role: Actor['role']): Actor {
  return { role, sessionId, address }
}
