import type { Json } from '../../../domain/index.ts'
import { WorkBudget } from '../../../expressions/index.ts'
import { givenInputs, type Plan } from '../../../playbook/index.ts'
import { failed } from '../../failure/failed.ts'
import { Sleeping, StepFailed } from '../../failure/signals.ts'
import { ImpactBudget } from '../../guards/impact-budget.ts'
import { runLimits } from '../../guards/run-limits.ts'
import { decide } from '../../journal/decide.ts'
import { pinnedSlot } from '../../prepare/bind-slots.ts'
import type { Execution } from '../execution.ts'
import { bodyStop } from '../flow/body-stop.ts'
import { bodyFrame } from '../flow/frame.ts'
import { runPlaybookBody } from '../flow/playbook-body.ts'
import { Variables } from '../flow/variables.ts'
import type { NestingRunner } from '../step-runners.ts'
import { rendered } from '../values/evaluate.ts'
import { jsonOf } from '../values/large-json.ts'
import { renderAtEnd } from '../values/skipped-steps.ts'
import { subPlaybookContext } from '../values/template-context.ts'

/**
 * Runs a sub-playbook. It has its own inputs, steps, variables and slots. It shares the alert, the case and the
 * run of its caller. Output: its outputs.
 */
export const runPlaybook: NestingRunner<'playbook'> = async (execution, frame, step, address, runSteps) => {
  const { playbook } = step
  const given = ((await rendered(execution, step.with, frame.context)) ?? {}) as Readonly<Record<string, Json>>
  const inputs = givenInputs(playbook, given)
  const own = subExecution(execution, playbook, address)
  const roots = subPlaybookContext(frame.context, inputs, playbook, own.connection)
  const inner = bodyFrame(address, roots, new Variables(), frame.case, bodyStop(execution, address, frame.branchStop))
  const stopped = await runPlaybookBody(own, inner, playbook.steps, runSteps).catch((error: unknown) => {
    throw error instanceof Sleeping ? clampToSubPlaybook(own, error, address) : error
  })
  // The sub-playbook has ended. A later execution that replays it must not apply its time limit.
  if (playbook.limits.time !== null) decide(execution, endedAt(address), () => true)
  if (stopped?.outcome === 'failed') throw new StepFailed(failed('run_stopped', `${playbook.name}: ${stopped.message}`, address))
  const outputs = playbook.outputs ? ((await renderAtEnd(own, playbook.outputs, inner.context, inner.steps)) ?? null) : null
  const size = (await jsonOf(execution, outputs)).length
  const most = execution.plan.limits.output
  if (size > most) throw new StepFailed(failed('output_too_large', `${size} characters, and limits.output is ${most}.`, address))
  return outputs
}

function endedAt(address: string): string {
  return `${address}#ended`
}

/** Shortens a sleep that would last beyond the sub-playbook's time limit, so that the limit can end it. */
function clampToSubPlaybook({ checkTime, deadline: ends, clock }: Execution, sleeping: Sleeping, address: string): Sleeping {
  if (!sleeping.binding) checkTime(address)
  const deadline = ends()
  if (deadline !== null && deadline < clock.now()) return sleeping
  return deadline === null || (sleeping.wakeAt !== null && sleeping.wakeAt <= deadline)
    ? sleeping
    : new Sleeping(deadline + 1, sleeping.binding, sleeping.pause)
}

/** Creates the execution of a sub-playbook. Its own limits apply, and those of its caller. */
function subExecution(execution: Execution, playbook: Plan, address: string): Execution {
  const { limits } = playbook
  const began = limits.time === null ? 0 : decide(execution, `${address}#began`, () => execution.clock.now())
  const ended = execution.replay.decision(endedAt(address)) !== undefined
  const limit = runLimits(limits, began, {
    clock: execution.clock,
    waits: execution.waits,
    isInTime: () => ended || execution.replay.isInTime(address),
    waitsAt: () => execution.replay.waitsAt(),
  })
  const budget = new ImpactBudget([{ whose: '', limits: limits.impact }], execution.replay, execution.journal, address)
  return {
    ...execution,
    plan: { ...playbook, limits: { ...limits, output: Math.min(limits.output, execution.plan.limits.output) } },
    playbooks: [...execution.playbooks, playbook.name],
    work: new WorkBudget(limits.evaluation, execution.work),
    connection: (slot) => execution.run.pins.connections[pinnedSlot(playbook.name, slot)],
    afford(at, spending) {
      execution.afford(at, spending)
      budget.afford(at, spending)
    },
    spend(at, spending) {
      execution.spend(at, spending)
      budget.spend(at, spending)
    },
    enter(at) {
      execution.enter(at)
      limit.enter(at)
    },
    checkTime(at) {
      execution.checkTime(at)
      limit.checkTime(at)
    },
    deadline() {
      const both = [execution.deadline(), limit.deadline()].filter((one) => one !== null)
      return both.length === 0 ? null : Math.min(...both)
    },
  }
}
