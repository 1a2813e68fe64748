import { hash } from 'node:crypto'
import type { Millis } from '../../domain/index.ts'
import { type Acts, type CallResult, timeoutOf as skillTimeout } from '../../plugin/index.ts'
import type { CallContext } from '../run/contexts.ts'
import type { PreparedCall } from './prepared-call.ts'

/**
 * Returns the key that names one step of one run to the external system. It is the same for each try, in each
 * process.
 */
export function callKey(execution: Pick<CallContext, 'run'>, address: string): string {
  return hash('sha256', `${execution.run.id}#${address}`, 'hex').slice(0, 32)
}

/** Returns how long one try may take. */
export function timeoutOf({ step, plugin, skill }: PreparedCall): Millis {
  return skillTimeout(plugin, skill, step.timeout)
}

export function send(execution: CallContext, prepared: PreparedCall, sendBy: Millis | null, acts?: Acts): Promise<CallResult> {
  const { connection, plugin, skill, input, address } = prepared
  return execution.caller.call({
    organization: execution.run.organization,
    playbooks: execution.playbooks,
    run: execution.run.id,
    step: address,
    connection,
    plugin,
    skill,
    input,
    key: callKey(execution, address),
    timeout: timeoutOf(prepared),
    sendBy,
    signal: execution.signal,
    ...(acts && { acts }),
  })
}
