import type { CallFailure, RetryRule } from '../plugin/index.ts'
import type { Prepared } from './prepared.ts'

const once: RetryRule = { attempts: 1, backoff: 'constant', delay: 0, maxDelay: 0, on: [] }

/**
 * The step's rule, else the manifest's, else none. A handler that reads has used the manifest's for each of its requests already, unless the wait was
 * too long for it.
 */
export function retryRule({ step, plugin, skill }: Prepared, failure: CallFailure | null = null): RetryRule {
  const usedUp = skill.does.kind === 'handler' && skill.impact === 'read' && !failure?.unwaited
  return step.retry ?? (usedUp ? null : plugin.manifest.retry) ?? once
}
