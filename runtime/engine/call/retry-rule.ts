import type { CallFailure, RetryRule } from '../../plugin/index.ts'
import type { PreparedCall } from './prepared-call.ts'

const once: RetryRule = { attempts: 1, backoff: 'constant', delay: 0, maxDelay: 0, on: [] }

/**
 * The step's rule, else the manifest's, else none. The handler of a read has already used the manifest's rule for each of its requests, unless the
 * wait was too long for it.
 */
export function retryRule({ step, plugin, skill }: PreparedCall, failure: CallFailure | null = null): RetryRule {
  const usedUp = skill.does.kind === 'handler' && skill.impact === 'read' && !failure?.unwaited
  return step.retry ?? (usedUp ? null : plugin.manifest.retry) ?? once
}
