import type { Millis } from '../../domain/index.ts'
import type { Plugin, Skill } from '../types.ts'

/**
 * The longest wait for the answer to a write, whatever a playbook or plugin allows. People can be
 * asked about a write only after this wait.
 */
const longestWrite: Millis = 120_000

/**
 * Returns how long one try of a skill may take.
 * @param asked the time-out in the playbook's step. Absent: that of the skill or its manifest
 */
export function timeoutOf({ manifest }: Plugin, { does, impact }: Skill, asked: Millis | null = null): Millis {
  // Each request of a handler has a time-out of its own.
  if (does.kind === 'handler') return asked ?? does.plan.timeout
  const writes = impact !== 'read'
  const own = asked ?? does.plan.timeout ?? (writes ? manifest.request.writeTimeout : manifest.request.timeout)
  return writes ? Math.min(own, longestWrite) : own
}
