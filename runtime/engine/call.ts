import { hash } from 'node:crypto'
import type { Millis } from '../domain/index.ts'
import { type Acts, type CallResult, timeoutOf as skillTimeout } from '../plugin/index.ts'
import type { Prepared } from './prepared.ts'
import type { Walk } from './walk.ts'

/** Names one step of one run to the external system; the same however often the step is tried, by whichever process. */
export function callKey(walk: Walk, address: string): string {
  return hash('sha256', `${walk.run.id}#${address}`, 'hex').slice(0, 32)
}

/** Of one try. */
export function timeoutOf({ step, plugin, skill }: Prepared): Millis {
  return skillTimeout(plugin, skill, step.timeout)
}

export function send(walk: Walk, prepared: Prepared, sendBy: Millis | null, acts?: Acts): Promise<CallResult> {
  const { connection, plugin, skill, input, address } = prepared
  return walk.caller.call({
    organization: walk.run.organization,
    playbooks: walk.playbooks,
    run: walk.run.id,
    step: address,
    connection,
    plugin,
    skill,
    input,
    key: callKey(walk, address),
    timeout: timeoutOf(prepared),
    sendBy,
    signal: walk.signal,
    ...(acts && { acts }),
  })
}
