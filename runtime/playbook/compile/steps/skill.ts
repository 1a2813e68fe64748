import { isObject, type Json } from '../../../domain/index.ts'
import { parseDuration } from '../../../formats/index.ts'
import { hint, misspelling } from '../../../yaml/index.ts'
import type { SkillStepDocument } from '../../grammar/index.ts'
import type { SkillStep } from '../../plan.ts'
import type { Compilation } from '../compilation.ts'
import type { KnownSkill } from '../lookup.ts'
import { keysOf } from '../names/index.ts'
import { slotOf } from '../slots.ts'
import { checkRetryCodes, retryOf } from './retry.ts'
import type { StepAt } from './step-at.ts'

/** Compiles a call of a skill. Reports an unknown skill, unknown or missing inputs, and error codes that it cannot have. */
export function compileSkill(compilation: Compilation, { step, path, scope, base }: StepAt<SkillStepDocument>): SkillStep {
  const [integration = '', skill = ''] = step.skill.split('.')
  const known = findSkill(compilation, integration, skill, [...path, 'skill'])
  if (known !== null) {
    checkKeys(compilation, known, step.with ?? {}, path)
    checkRetryCodes(compilation, integration, step.retry, path)
  }
  const compiled: SkillStep = {
    ...base,
    kind: 'skill',
    integration,
    skill,
    // If the integration is unknown, no slot is implied: the mistake is the name of the integration.
    slot: known === null && step.connection === undefined ? integration : slotOf(compilation, integration, step.connection, path),
    with: compilation.value(step.with ?? {}, [...path, 'with'], scope),
    retry: retryOf(step.retry),
    timeout: step.timeout === undefined ? null : parseDuration(step.timeout),
    approvals: compilation.names.approvals.get(base.id) ?? [],
  }
  compilation.calls.set(base.id, { step: compiled, scope })
  return compiled
}

function findSkill(compilation: Compilation, integration: string, skill: string, path: readonly (string | number)[]): KnownSkill | null {
  const { lookup } = compilation
  const known = lookup.skill(integration, skill)
  if (known !== null) return known
  const integrations = lookup.integrations()
  if (!integrations.includes(integration)) {
    const message = `there is no integration \`${integration}\`${hint(integration, integrations)}`
    compilation.fault('integration_unknown', path, message, 'value', misspelling(integration, integrations).misspelt)
    return null
  }
  const skills = lookup.skills(integration)
  const message = `${integration} has no skill \`${skill}\`${hint(skill, skills)}`
  compilation.fault('skill_unknown', path, message, 'value', misspelling(skill, skills).misspelt)
  return null
}

/** Checks the keys of `with` against the skill's input schema. Values are checked when they are rendered. */
function checkKeys(
  compilation: Compilation,
  { document }: KnownSkill,
  given: Readonly<Record<string, Json>>,
  path: readonly (string | number)[],
): void {
  const { properties, required, additionalProperties } = document.input
  const known = keysOf(properties)
  const closed = additionalProperties === false && !isObject(document.input['patternProperties'])
  for (const key of Object.keys(given)) {
    if (closed && !known.includes(key)) {
      const near = hint(key, known)
      const message = `the skill has no input \`${key}\`${near === '' ? `; its inputs are ${known.join(', ')}` : near}`
      compilation.fault('skill_input_unknown', [...path, 'with', key], message, 'key', misspelling(key, known).misspelt)
    }
  }
  for (const key of Array.isArray(required) ? (required as readonly Json[]) : []) {
    if (!Object.hasOwn(given, String(key)))
      compilation.fault('skill_input_missing', [...path, 'with'], `the skill needs the input \`${String(key)}\``)
  }
}
