import type { SkillLookup } from '../compile/index.ts'
import { type ForeachStep, mostPolls, type PlanStep, type SkillStep } from '../plan.ts'
import { type Amount, nothing, plus, times } from './amount.ts'
import type { Calls } from './calls.ts'
import { always, beside, choice, type Effect, handled, maybe, noEffect, sequence } from './effect.ts'
import type { Place } from './place.ts'
import { targetOf } from './target.ts'
import { noTargets } from './targets.ts'

/** The lookup, and what is collected while the steps are visited. */
export interface Survey {
  readonly lookup: SkillLookup
  readonly calls: Calls
  readonly unbounded: Set<string>
}

export function effectOfSteps(survey: Survey, steps: readonly PlanStep[], place: Place): Effect {
  return sequence(steps.map((step) => effectOfStep(survey, step, place)))
}

function effectOfStep(survey: Survey, step: PlanStep, place: Place): Effect {
  const own = effectOfKind(survey, step, place)
  const guarded = step.condition ? maybe(own) : own
  if (step.onError === 'fail' || !mayFail(step)) return guarded
  return handled(guarded, step.onError === 'continue' ? noEffect : effectOfSteps(survey, step.onError, place))
}

/** Tells whether a step can fail. A `stop` fails only if its reason or its condition does. */
function mayFail(step: PlanStep): boolean {
  return step.kind !== 'stop' || step.condition !== null || !(step.reason?.constant ?? true)
}

function effectOfKind(survey: Survey, step: PlanStep, place: Place): Effect {
  switch (step.kind) {
    case 'skill':
      return always(callOf(survey, step, place))
    case 'if':
      return choice([effectOfSteps(survey, step.then, place), effectOfSteps(survey, step.else, place)])
    case 'switch': {
      // One of the cases, or none.
      const cases = step.cases.map(({ steps }) => effectOfSteps(survey, steps, place))
      const otherwise = step.cases.at(-1)?.when === null ? [] : [noEffect]
      const [first = noEffect, ...others] = [...cases, ...otherwise]
      return choice([first, ...others])
    }
    case 'parallel':
      return beside(
        step.branches.map(({ steps }) => effectOfSteps(survey, steps, place)),
        step.join === 'all' ? step.branches.length : step.join === 'any' ? 1 : step.join,
      )
    case 'playbook': {
      const { any } = effectOfSteps(survey, step.playbook.steps, place.inPlaybook(step))
      // A `stop` in the sub-playbook ends only the sub-playbook. The steps after it still run.
      return always(any)
    }
    case 'foreach':
      return effectOfLoop(survey, step, place)
    case 'stop':
      return { through: null, any: nothing }
    case 'wait':
      return step.wait.kind === 'poll' ? always(times(callOf(survey, step.wait.poll, place), mostPolls(step.wait), place.address(step.id))) : noEffect
    case 'set':
    case 'script':
    case 'approve':
    case 'case':
      return noEffect
  }
}

function callOf({ lookup, calls }: Survey, step: SkillStep, place: Place): Amount {
  const known = lookup.skill(step.integration, step.skill)
  // A plan only names skills that its lookup knows.
  if (!known) return nothing
  const key = calls.note(step, known, place.connection(step.slot), step.approvals.length > 0)
  const { impact } = known
  return {
    high: impact === 'high' ? 1 : 0,
    write: impact === 'write' ? 1 : 0,
    read: impact === 'read' ? 1 : 0,
    calls: new Map([[key, 1]]),
    targets: impact === 'read' ? noTargets : targetOf(place.address(step.id), known, step.with.source, place),
  }
}

/**
 * Counts a loop. An iteration that stops or fails is the last one. With concurrency, all iterations
 * may be like that.
 */
function effectOfLoop(survey: Survey, step: ForeachStep, place: Place): Effect {
  const { maxItems, concurrency, id } = step
  const address = place.address(id)
  if (!Number.isFinite(maxItems)) survey.unbounded.add(address)
  const { through, any } = effectOfSteps(survey, step.steps, place.inLoop(step))
  const whole = times(any, maxItems, address)
  const completed = through ? times(through, maxItems, address) : nothing
  if (concurrency > 1 || maxItems === 0) return { through: completed, any: whole }
  const others = through ? times(through, maxItems - 1, address) : nothing
  return { through: completed, any: { ...plus(others, times(any, 1, address)), targets: whole.targets } }
}
