import { longerThan } from '../../domain/index.ts'
import { registry } from '../../errors/index.ts'
import type { CallResult, Skill } from '../../plugin/index.ts'

/**
 * The largest output that is returned, in characters, roughly. Equal to the default of a playbook's
 * `limits.output`.
 */
const longestOutput = 5 * 1024 * 1024

/**
 * Limits the output of a manual call to the size that a run may have. A write counts as successful
 * however large its output is.
 */
export function heldToSize(skill: Pick<Skill, 'impact' | 'contractualOutput'>, result: CallResult): CallResult {
  if (!result.ok) return withKnownPart(skill, result)
  if (!longerThan(result.output, longestOutput)) return result
  const message = `The output has more than ${longestOutput} characters.`
  if (skill.impact === 'read')
    return { ok: false, effect: 'done', failure: { code: 'output_too_large', message, remedy: registry.output_too_large.remedy, retryAfter: null } }
  const kept = skill.contractualOutput(result.output)
  const warning = `only the required fields of the output are kept: ${message}`
  return { ...result, output: longerThan(kept, longestOutput) ? {} : kept, warnings: [...(result.warnings ?? []), warning] }
}

/** Keeps the partial output of a failed call only if it is small enough. */
function withKnownPart({ contractualOutput }: Pick<Skill, 'contractualOutput'>, result: Extract<CallResult, { ok: false }>): CallResult {
  const { output, ...rest } = result
  if (output === undefined || !longerThan(output, longestOutput)) return result
  const kept = contractualOutput(output)
  return longerThan(kept, longestOutput) ? rest : { ...rest, output: kept }
}
