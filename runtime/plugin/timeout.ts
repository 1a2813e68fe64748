import type { Millis } from '../domain/index.ts'
import type { Plugin, Skill } from './types.ts'

/** How long one try of a skill may take, where nobody says otherwise. */
export function timeoutOf({ manifest }: Plugin, { does }: Skill): Millis {
  return does.kind === 'handler' ? does.plan.timeout : manifest.request.timeout
}
