import type { Json } from '../../domain/index.ts'
import type { SkillStep } from '../../playbook/index.ts'
import { targetsOf } from '../../plugin/index.ts'
import { failed } from '../failure/failed.ts'
import { StepFailed } from '../failure/signals.ts'
import type { CallContext } from '../run/contexts.ts'
import type { Frame } from '../run/flow/frame.ts'
import { rendered } from '../run/values/evaluate.ts'
import { digestOf } from '../run/values/large-json.ts'
import type { PreparedCall } from './prepared-call.ts'

/** Looks up the skill and the connection, and checks the input. @throws StepFailed */
function prepare(execution: CallContext, step: SkillStep, given: Json, digest: string, address: string): PreparedCall {
  const name = `${step.integration}.${step.skill}`
  const plugin = execution.plugins.get(step.integration)
  const skill = plugin?.skills.get(step.skill)
  if (!plugin || !skill) throw new StepFailed(failed('skill_unknown', `No loaded plugin has ${name}.`, address))
  const connection = execution.connection(step.slot)
  if (!connection) throw new StepFailed(failed('connection_missing', `The slot ${step.slot} is not bound.`, address))
  const { input, faults } = skill.checkInput(given)
  if (faults.length > 0) throw new StepFailed(failed('skill_input_invalid', `${name}: ${faults.join('; ')}`, address))
  const targets = targetsOf(skill, input)
  return { address, step, plugin, skill, connection, input, digest, targets, target: targets.length === 0 ? null : targets.join(',') }
}

/**
 * Renders a step's call as it would be sent now.
 * @throws StepFailed, TocsinError `template_failed`
 */
export async function renderCall(execution: CallContext, frame: Frame, step: SkillStep, address: string): Promise<PreparedCall> {
  const input = (await rendered(execution, step.with, frame.context)) ?? {}
  return prepare(execution, step, input, await digestOf(execution, input), address)
}
