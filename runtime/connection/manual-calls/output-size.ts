import { longerThan } from '../../domain/index.ts'
import { registry } from '../../errors/index.ts'
import type { CallResult, Skill } from '../../plugin/index.ts'

/** Characters of an output, about: what `limits.output` of a playbook is by default. */
const longestOutput = 5 * 1024 * 1024

/** What is too much for a run is too much for one answer of the API. What a write did it has done, however much it answered. */
export function heldToSize(skill: Pick<Skill, 'impact' | 'contractualOutput'>, result: CallResult): CallResult {
  if (!result.ok) return withKnownPart(skill, result)
  if (!longerThan(result.output, longestOutput)) return result
  const message = `It has more than ${longestOutput} characters.`
  if (skill.impact === 'read')
    return { ok: false, effect: 'done', failure: { code: 'output_too_large', message, remedy: registry.output_too_large.remedy, retryAfter: null } }
  const kept = skill.contractualOutput(result.output)
  const warning = `only what the skill requires of the output is kept: ${message}`
  return { ...result, output: longerThan(kept, longestOutput) ? {} : kept, warnings: [...(result.warnings ?? []), warning] }
}

/** What is known of a failed call's output is told as far as there is room for it. */
function withKnownPart({ contractualOutput }: Pick<Skill, 'contractualOutput'>, result: Extract<CallResult, { ok: false }>): CallResult {
  const { output, ...rest } = result
  if (output === undefined || !longerThan(output, longestOutput)) return result
  const kept = contractualOutput(output)
  return longerThan(kept, longestOutput) ? rest : { ...rest, output: kept }
}
