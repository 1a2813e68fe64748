import type { Json } from '../domain/index.ts'
import type { SkillStep } from '../playbook/index.ts'
import { targetsOf } from '../plugin/index.ts'
import { rendered } from './evaluate.ts'
import { failed } from './failed.ts'
import type { Frame } from './frame.ts'
import { digestOf } from './large-json.ts'
import type { Prepared } from './prepared.ts'
import { StepFailed } from './signals.ts'
import type { Walk } from './walk.ts'

/** Looks up what the call needs, and checks its input. @throws StepFailed */
function prepare(walk: Walk, step: SkillStep, given: Json, digest: string, address: string): Prepared {
  const name = `${step.integration}.${step.skill}`
  const plugin = walk.plugins.get(step.integration)
  const skill = plugin?.skills.get(step.skill)
  if (!plugin || !skill) throw new StepFailed(failed('skill_unknown', `No loaded plugin has ${name}.`, address))
  const connection = walk.connection(step.slot)
  if (!connection) throw new StepFailed(failed('connection_missing', `The slot ${step.slot} is not bound.`, address))
  const { input, faults } = skill.checkInput(given)
  if (faults.length > 0) throw new StepFailed(failed('skill_input_invalid', `${name}: ${faults.join('; ')}`, address))
  const targets = targetsOf(skill, input)
  return { address, step, plugin, skill, connection, input, digest, targets, target: targets.length === 0 ? null : targets.join(',') }
}

/** A step's call as it would be sent now. @throws StepFailed, TocsinError `template_failed` */
export async function renderCall(walk: Walk, frame: Frame, step: SkillStep, address: string): Promise<Prepared> {
  const input = (await rendered(walk, step.with, frame.context)) ?? {}
  return prepare(walk, step, input, await digestOf(walk, input), address)
}
