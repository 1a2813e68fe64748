import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../domain/index.ts'
import { untilMark } from '../../engine/index.ts'
import type { ParallelStep, Plan, PlanStep } from '../../playbook/index.ts'
import { idIn } from '../coverage/index.ts'
import { stepsOf } from '../plan-steps.ts'
import type { Recording } from '../recorded/document.ts'

/** Suffix of the address that records when a sub-playbook began. */
const beganMark = '#began'

/** Returns the journal address of the join of a step's branches. */
export function joinAt(step: string): string {
  return `${step}#join`
}

/**
 * Returns the recorded joins. Which branches had ended at a join depended on how long calls took.
 * Keeps only joins of steps whose branches are the same in both playbooks.
 */
export function sameJoins({ decided }: Recording, own: Plan, edited: Plan): Readonly<Record<string, Json>> {
  const [before, after] = [stepsOf(own), stepsOf(edited)]
  const same = (address: string): boolean => {
    const id = address.slice(0, -joinAt('').length).split('/').at(-1) ?? ''
    const [one, other] = [before.get(id), after.get(id)]
    return one?.kind === 'parallel' && other?.kind === 'parallel' && isDeepStrictEqual(namesIn(one), namesIn(other)) && one.join === other.join
  }
  return Object.fromEntries(Object.entries(decided).filter(([address]) => address.endsWith(joinAt('')) && same(address)))
}

/** Returns until when the run waited, and when its sub-playbooks began, for steps that the edit did not change. */
export function sameTimes({ decided }: Recording, own: Plan, edited: Plan): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(decided).filter(([address]) => {
      if (address.endsWith(untilMark)) return isSameWait(address.slice(0, -untilMark.length), own, edited)
      return address.endsWith(beganMark) && stepAt(edited, address.slice(0, -beganMark.length))?.kind === 'playbook'
    }),
  )
}

/** Returns whether the edit left a wait for a time as it was. */
export function isSameWait(address: string, own: Plan, edited: Plan): boolean {
  const [one, other] = [stepAt(own, address), stepAt(edited, address)]
  if (one?.kind !== 'wait' || other?.kind !== 'wait') return false
  if (one.wait.kind === 'for') return other.wait.kind === 'for' && one.wait.duration === other.wait.duration
  return one.wait.kind === 'until' && other.wait.kind === 'until' && one.wait.time.source === other.wait.time.source
}

function stepAt(plan: Plan, address: string): PlanStep | undefined {
  return stepsOf(plan).get(idIn(address))
}

function namesIn({ branches }: ParallelStep): readonly string[] {
  return branches.map(({ name }) => name)
}
