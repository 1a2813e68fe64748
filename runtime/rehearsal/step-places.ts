import { pinnedSlot } from '../engine/index.ts'
import type { Plan, PlanStep, SkillStep } from '../playbook/index.ts'

/** Where a run can meet a step: the end of its address, and the places that the rest of the address may belong to. */
export interface StepPlace {
  readonly step: PlanStep
  /** The parts of the address after that of the place around it. `#` stands for the number of an iteration. */
  readonly own: readonly string[]
  /** Several if several steps run the step's sub-playbook. Empty: the address has no more parts. */
  readonly around: readonly StepPlace[]
  /** The calls of the step. Null: it makes none. */
  readonly calls: { readonly skill: string; readonly slot: string } | null
}

const iteration = '#'

/** Returns the places of all steps of a plan and of its sub-playbooks. */
export function stepPlaces(plan: Plan): readonly StepPlace[] {
  const found: StepPlace[] = []
  // The steps of a sub-playbook have one place each, whatever runs it. So the places stay as few as the steps.
  const runners = new Map<Plan, StepPlace[]>()
  const walk = (of: Plan, steps: readonly PlanStep[], before: readonly string[], around: readonly StepPlace[]): void => {
    for (const step of steps) {
      const calling = callOf(step)
      const calls = calling && {
        skill: `${calling.integration}.${calling.skill}`,
        slot: of.name === plan.name ? calling.slot : pinnedSlot(of.name, calling.slot),
      }
      const place: StepPlace = { step, own: [...before, step.id], around, calls }
      found.push(place)
      for (const [parts, nested] of inside(step)) walk(of, nested, parts, [place])
      if (step.kind !== 'playbook') continue
      const known = runners.get(step.playbook)
      if (known) {
        known.push(place)
        continue
      }
      const own = [place]
      runners.set(step.playbook, own)
      walk(step.playbook, step.playbook.steps, [], own)
    }
  }
  walk(plan, plan.steps, [], [])
  return found
}

/** Returns the call that a step makes itself, without those of steps inside it. */
function callOf(step: PlanStep): SkillStep | null {
  if (step.kind === 'skill') return step
  return step.kind === 'wait' && step.wait.kind === 'poll' ? step.wait.poll : null
}

/** Returns the lists of steps inside a step, each with the parts that their addresses have in between. */
function inside(step: PlanStep): readonly (readonly [readonly string[], readonly PlanStep[]])[] {
  return typeof step.onError === 'string' ? ownLists(step) : [...ownLists(step), [['on_error'], step.onError]]
}

function ownLists(step: PlanStep): readonly (readonly [readonly string[], readonly PlanStep[]])[] {
  switch (step.kind) {
    case 'if':
      return [step.then, step.else].map((steps) => [[], steps])
    case 'switch':
      return step.cases.map(({ steps }) => [[], steps])
    case 'parallel':
      return step.branches.map(({ name, steps }) => [[name], steps])
    case 'foreach':
      return [[[iteration], step.steps]]
    default:
      return []
  }
}

/** Returns the places that an id or an address stands for. The address of a poll's call ends with its number. */
export function placesAt(name: string, places: readonly StepPlace[]): readonly StepPlace[] {
  const parts = name.split('/')
  return places.filter((place) => {
    if (isEnd(parts, place)) return true
    return place.step.kind === 'wait' && place.calls !== null && isNumber(parts.at(-1)) && isEnd(parts.slice(0, -1), place)
  })
}

/** Tells whether the address of a place may end with these parts. */
function isEnd(parts: readonly string[], { own, around }: StepPlace): boolean {
  const shared = Math.min(parts.length, own.length)
  for (let back = 1; back <= shared; back++) {
    const part = parts.at(-back)
    if (own.at(-back) === iteration ? !isNumber(part) : own.at(-back) !== part) return false
  }
  const rest = parts.slice(0, -own.length)
  return rest.length === 0 || around.some((place) => isEnd(rest, place))
}

function isNumber(part: string | undefined): boolean {
  return part !== undefined && /^\d+$/.test(part)
}

/** Returns an address of a place. Iterations have the number 0. */
export function addressAt({ own, around: [outer] }: StepPlace): string {
  const end = own.map((part) => (part === iteration ? '0' : part))
  return [...(outer ? [addressAt(outer)] : []), ...end].join('/')
}
