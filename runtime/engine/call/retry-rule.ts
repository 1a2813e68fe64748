import type { CallFailure, RetryRule } from '../../plugin/index.ts'
import type { PreparedCall } from './prepared-call.ts'

const once: RetryRule = { attempts: 1, backoff: 'constant', delay: 0, maxDelay: 0, on: [] }

/**
 * Returns the retry rule of the step, else of the manifest, else one that never retries. The manifest's rule
 * does not apply to a read that is code: the host has already used it for each request of the handler, unless
 * the wait was too long.
 */
export function retryRule({ step, plugin, skill }: PreparedCall, failure: CallFailure | null = null): RetryRule {
  const usedUp = skill.does.kind === 'handler' && skill.impact === 'read' && !failure?.unwaited
  return step.retry ?? (usedUp ? null : plugin.manifest.retry) ?? once
}
