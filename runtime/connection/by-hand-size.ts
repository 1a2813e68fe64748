import { longerThan } from '../domain/index.ts'
import { registry } from '../errors/index.ts'
import type { CallResult, Skill } from '../plugin/index.ts'

/** Characters of an output, about: what `limits.output` of a playbook is by default. */
const longestOutput = 5 * 1024 * 1024

/** What is too much for a run is too much for one answer of the API. What a write did it has done, however much it answered. */
export function heldToSize(skill: Pick<Skill, 'impact' | 'contractualOutput'>, result: CallResult): CallResult {
  if (!result.ok || !longerThan(result.output, longestOutput)) return result
  const message = `It has more than ${longestOutput} characters.`
  if (skill.impact === 'read')
    return { ok: false, effect: 'done', failure: { code: 'output_too_large', message, remedy: registry.output_too_large.remedy, retryAfter: null } }
  const kept = skill.contractualOutput(result.output)
  const warning = `only what the skill requires of the output is kept: ${message}`
  return { ...result, output: longerThan(kept, longestOutput) ? {} : kept, warnings: [...(result.warnings ?? []), warning] }
}
