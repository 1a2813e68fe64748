import type { Json } from '../../domain/index.ts'
import { WorkBudget } from '../../expressions/index.ts'
import { givenInputs, type Plan } from '../../playbook/index.ts'
import { pinnedSlot } from '../bind.ts'
import { runBody } from '../body.ts'
import { Budget } from '../budget.ts'
import { rendered } from '../evaluate.ts'
import { failed } from '../failed.ts'
import { bodyFrame } from '../frame.ts'
import { jsonOf } from '../large-json.ts'
import { renderAtEnd } from '../left-out.ts'
import { limited } from '../limits.ts'
import { subRoots } from '../roots.ts'
import { Sleeping, StepFailed } from '../signals.ts'
import { Variables } from '../variables.ts'
import { decide, type NestingRunner, type Walk } from '../walk.ts'

/** Runs a sub-playbook: its own inputs, steps, variables and slots; the alert, the case and the run are those of what runs it. Output: its outputs. */
export const runPlaybook: NestingRunner<'playbook'> = async (walk, frame, step, address, runSteps) => {
  const { playbook } = step
  const given = ((await rendered(walk, step.with, frame.context)) ?? {}) as Readonly<Record<string, Json>>
  const inputs = givenInputs(playbook, given)
  const own = within(walk, playbook, address)
  const roots = subRoots(frame.context, inputs, playbook, own.connection)
  const inner = bodyFrame(address, roots, new Variables(), frame.case, () => walk.recorded.ahead(address), frame.halt)
  const stopped = await runBody(own, inner, playbook.steps, runSteps).catch((error: unknown) => {
    throw error instanceof Sleeping ? wokenBy(own, error, address) : error
  })
  // However late a later life goes through it again, it has ended.
  if (playbook.limits.time !== null) decide(walk, endedAt(address), () => true)
  if (stopped?.outcome === 'failed') throw new StepFailed(failed('run_stopped', `${playbook.name}: ${stopped.message}`, address))
  const outputs = playbook.outputs ? ((await renderAtEnd(own, playbook.outputs, inner.context, inner.steps)) ?? null) : null
  const size = (await jsonOf(walk, outputs)).length
  const most = walk.plan.limits.output
  if (size > most) throw new StepFailed(failed('output_too_large', `${size} characters, and limits.output is ${most}.`, address))
  return outputs
}

function endedAt(address: string): string {
  return `${address}#ended`
}

/** What sleeps beyond the time of the sub-playbook is woken to end by it. */
function wokenBy({ checkTime, deadline: ends, clock }: Walk, sleeping: Sleeping, address: string): Sleeping {
  if (!sleeping.binding) checkTime(address)
  const deadline = ends()
  if (deadline !== null && deadline < clock.now()) return sleeping
  return deadline === null || (sleeping.wakeAt !== null && sleeping.wakeAt <= deadline)
    ? sleeping
    : new Sleeping(deadline + 1, sleeping.binding, sleeping.pause)
}

/** The walk of a sub-playbook: the limits of what runs it count, and its own. */
function within(walk: Walk, playbook: Plan, address: string): Walk {
  const { limits } = playbook
  const began = limits.time === null ? 0 : decide(walk, `${address}#began`, () => walk.clock.now())
  const ended = walk.recorded.decision(endedAt(address)) !== undefined
  const limit = limited(limits, began, { clock: walk.clock, waits: walk.waits, ahead: () => ended || walk.recorded.ahead(address) })
  const budget = new Budget([{ whose: '', limits: limits.impact }], walk.recorded, walk.journal, address)
  return {
    ...walk,
    plan: { ...playbook, limits: { ...limits, output: Math.min(limits.output, walk.plan.limits.output) } },
    playbooks: [...walk.playbooks, playbook.name],
    work: new WorkBudget(limits.evaluation, walk.work),
    connection: (slot) => walk.run.pins.connections[pinnedSlot(playbook.name, slot)],
    afford(at, spending) {
      walk.afford(at, spending)
      budget.afford(at, spending)
    },
    spend(at, spending) {
      walk.spend(at, spending)
      budget.spend(at, spending)
    },
    enter(at) {
      walk.enter(at)
      limit.enter(at)
    },
    checkTime(at) {
      walk.checkTime(at)
      limit.checkTime(at)
    },
    deadline() {
      const both = [walk.deadline(), limit.deadline()].filter((one) => one !== null)
      return both.length === 0 ? null : Math.min(...both)
    },
  }
}
