import { type Protection, protectionOf } from '../../policy/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { StepSkipped } from '../failure/signals.ts'
import type { GuardContext } from '../run/contexts.ts'
import { shownTarget } from '../write/resolve-unknown-write.ts'

/** Where the journal has that a step was left out. */
export function protectedAt(step: string): string {
  return `${step}#protected`
}

/**
 * Leaves a call out that acts on something protected; the case says so. The policy is asked as it stands, until the call has reached its
 * target or may have; and once it was left out it stays so, however often the run is walked.
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
  // Before the case says so: what it says stays true whatever becomes of this process.
  if (!standing) await journal.append({ kind: 'decided', address: at, value: { target, reason } })
  await execution.record(null, {
    key: `${run.id}#${at}`,
    at: clock.now(),
    actor: { run: run.id, step: address },
    body: { kind: 'protected', skill: name, connection: connection.instance, target, text: reason },
  })
  throw new StepSkipped(`${shownTarget(target)} is protected (${reason})`)
}
