import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../domain/index.ts'
import type { ParallelStep, Plan } from '../../playbook/index.ts'
import { stepsOf } from '../plan-steps.ts'
import type { Recording } from '../recording/document.ts'

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

function namesIn({ branches }: ParallelStep): readonly string[] {
  return branches.map(({ name }) => name)
}
