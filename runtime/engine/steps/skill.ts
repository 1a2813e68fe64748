import { createHash } from 'node:crypto'
import type { Json } from '../../domain/index.ts'
import type { SkillStep } from '../../playbook/index.ts'
import type { Frame } from '../frame.ts'
import { callHandlerWrite } from '../handler-write.ts'
import { recall, type SkillOutcome, store } from '../outcome.ts'
import { askByPolicy } from '../policy.ts'
import type { Prepared } from '../prepared.ts'
import { callRead } from '../read.ts'
import { StepFailed } from '../signals.ts'
import { failed, type StepRunner, type Walk } from '../walk.ts'
import { callWrite } from '../write.ts'
import { checkApproved } from './approve.ts'

function prepare(walk: Walk, step: SkillStep, rendered: Json, digest: string, address: string): Prepared {
  const name = `${step.integration}.${step.skill}`
  const plugin = walk.plugins.get(step.integration)
  const skill = plugin?.skills.get(step.skill)
  if (!plugin || !skill) throw new StepFailed(failed('skill_unknown', `No loaded plugin has ${name}.`, address))
  const connection = walk.connection(step.slot)
  if (!connection) throw new StepFailed(failed('connection_missing', `The slot ${step.slot} is not bound.`, address))
  const { input, faults } = skill.checkInput(rendered)
  if (faults.length > 0) throw new StepFailed(failed('skill_input_invalid', `${name}: ${faults.join('; ')}`, address))
  const target = skill.target?.render({ input })
  return { address, step, plugin, skill, connection, input, digest, target: target === undefined || target === null ? null : String(target) }
}

function tally(walk: Walk, { address, step, skill, connection, target }: Prepared, outcome: SkillOutcome): void {
  const name = `${step.integration}.${step.skill}`
  if (skill.impact === 'read') walk.tally.read(name, connection.instance, outcome.ok)
  else walk.tally.write(address, outcome.at, name, connection.instance, outcome.ok ? 'done' : outcome.failure.code, target)
}

function call(walk: Walk, prepared: Prepared): Promise<SkillOutcome> {
  const { impact, does } = prepared.skill
  if (impact === 'read') return callRead(walk, prepared)
  return does.kind === 'handler' ? callHandlerWrite(walk, prepared) : callWrite(walk, prepared)
}

/** A step's call as it would be sent now. @throws StepFailed, TocsinError `template_failed` */
export function renderCall(walk: Walk, frame: Frame, step: SkillStep, address: string): Prepared {
  const rendered = step.with.render(frame.context) ?? {}
  const digest = createHash('sha256').update(JSON.stringify(rendered)).digest('base64url')
  return prepare(walk, step, rendered, digest, address)
}

/** What becomes of a step's call, in this life or an earlier one. */
export async function callSkill(walk: Walk, frame: Frame, step: SkillStep, address: string): Promise<SkillOutcome> {
  const prepared = renderCall(walk, frame, step, address)
  let outcome = await recall(walk, address, prepared.digest)
  if (!outcome) {
    checkApproved(walk, frame, prepared)
    const { impact } = prepared.skill
    // What has begun to write comes to its end.
    if (impact === 'read' || !walk.recorded.wrote(address)) walk.cancel.check()
    outcome = await askByPolicy(walk, prepared)
    if (!outcome) {
      if (impact !== 'read') walk.spend(address, { impact, target: prepared.target })
      outcome = await call(walk, prepared)
    }
    outcome = await store(walk, prepared, outcome)
  }
  tally(walk, prepared, outcome)
  return outcome
}

export const runSkill: StepRunner<'skill'> = async (walk, frame, step, address) => {
  const outcome = await callSkill(walk, frame, step, address)
  if (!outcome.ok) throw new StepFailed(outcome.failure)
  return outcome.output
}
