import { type Protection, protectionOf } from '../../policy/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { StepSkipped } from '../failure/signals.ts'
import type { GuardContext } from '../run/contexts.ts'
import { shownTarget } from '../write/resolve-unknown-write.ts'

/** Journal address that records that a step was skipped. */
export function protectedAt(step: string): string {
  return `${step}#protected`
}

/**
 * Skips a call that acts on a protected target, and says so in the case. Uses the organization's current
 * policy, until the call has reached its target or may have. A skipped call stays skipped when the run is
 * replayed.
 * @throws StepSkipped
 */
export async function skipIfProtected(execution: GuardContext, prepared: PreparedCall): Promise<void> {
  const { address, step, skill, connection, targets } = prepared
  const { clock, replay, writes, journal, run } = execution
  const at = protectedAt(address)
  const name = `${step.integration}.${skill.id}`
  const before = replay.decision(at) as Protection | undefined
  const standing = before && targets.includes(before.target) ? before : undefined
  const found = standing ?? (writes.reached(address) ? null : protectionOf(await execution.currentPolicy(), name, targets))
  if (!found) return
  const { target, reason } = found
  // The journal comes first: what the case says then stays true even if this process dies.
  if (!standing) await journal.append({ kind: 'decided', address: at, value: { target, reason } })
  await execution.record(null, {
    key: `${run.id}#${at}`,
    at: clock.now(),
    actor: { run: run.id, step: address },
    body: { kind: 'protected', skill: name, connection: connection.instance, target, text: reason },
  })
  throw new StepSkipped(`${shownTarget(target)} is protected (${reason})`)
}
