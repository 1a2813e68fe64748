import type { Decision, Failure, Json } from '../../domain/index.ts'
import { pinnedSlot } from '../../engine/index.ts'
import type { Plan, PlanStep } from '../../playbook/index.ts'
import type { Answers, Asked, Circumstances, Rehearsed } from '../types.ts'

/** The id of the step that runs the rehearsed sub-playbook. */
const runner = 'rehearsed'
const before = `${runner}/`

/** Returns a playbook that only runs a sub-playbook with these inputs. */
export function runnerOf(plan: Plan, inputs: Readonly<Record<string, Json>>): Plan {
  const step: PlanStep = {
    kind: 'playbook',
    id: runner,
    at: { line: 1, column: 1 },
    condition: null,
    onError: 'fail',
    playbook: plan,
    with: { source: null, reads: [], constant: true, render: () => inputs },
  }
  return {
    ...plan,
    name: `run-${plan.name}`,
    types: [],
    inputs: [],
    slots: {},
    limits: { ...plan.limits, time: null, steps: plan.limits.steps + 1 },
    case: { title: null, severity: 'unassigned', join: null },
    steps: [step],
    verdict: null,
    outputs: { source: null, reads: [], constant: false, render: (context) => (context['steps'] as Steps)[runner]?.output ?? null },
    playbooks: { ...plan.playbooks, [plan.name]: plan },
  }
}

type Steps = Readonly<Record<string, { readonly output?: Json }>>

/** Renames the slots of a sub-playbook to the names that they have in the playbook that runs it. */
export function connectionsOf({ name, slots }: Plan, connections: Circumstances['connections']): Circumstances['connections'] {
  return Object.fromEntries(Object.entries(connections).map(([slot, bound]) => [Object.hasOwn(slots, slot) ? pinnedSlot(name, slot) : slot, bound]))
}

function address(text: string): string {
  return text.startsWith(before) ? text.slice(before.length) : text
}

/** Wraps answers, so that they see a sub-playbook's calls as calls of its own steps. */
export function answersOf({ name }: Plan, answers: Answers): Answers {
  const own = (call: Asked): Asked => ({ ...call, step: address(call.step), connection: slotOf(name, call.connection) })
  return { answer: (call) => answers.answer(own(call)), verify: (call) => answers.verify(own(call)) }
}

function slotOf(name: string, slot: string): string {
  return slot.startsWith(pinnedSlot(name, '')) ? slot.slice(pinnedSlot(name, '').length) : slot
}

export function ownDecision(decision: Decision): Decision {
  return { ...decision, step: address(decision.step) }
}

/** Returns the sub-playbook's part of the runner's rehearsal. */
export function ownPart({ name }: Plan, rehearsed: Rehearsed): Rehearsed {
  const calls = rehearsed.calls.map((call) => ({ ...call, step: address(call.step), connection: slotOf(name, call.connection) }))
  const unanswered = rehearsed.unanswered.map((call) => ({ ...call, step: address(call.step), connection: slotOf(name, call.connection) }))
  const within = <V>(map: ReadonlyMap<string, V>): ReadonlyMap<string, V> =>
    new Map([...map].flatMap(([key, value]) => (key.startsWith(before) ? [[address(key), value] as const] : [])))
  const { entered, failed, decided } = rehearsed.trace
  return {
    ...rehearsed,
    failure: rehearsed.failure && ownFailure(rehearsed.failure),
    calls,
    unanswered,
    decisions: rehearsed.decisions.map(ownDecision),
    inDoubt: rehearsed.inDoubt.map(address),
    took: within(rehearsed.took),
    trace: { entered: within(entered), failed: within(failed), decided: within(decided) },
  }
}

function ownFailure(failure: Failure): Failure {
  return failure.step === null || failure.step === runner ? { ...failure, step: null } : { ...failure, step: address(failure.step) }
}
