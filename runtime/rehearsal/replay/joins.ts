import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../domain/index.ts'
import type { ParallelStep, Plan } from '../../playbook/index.ts'
import { stepsOf } from '../plan-steps.ts'
import type { Recording } from '../recording/document.ts'

/** Where the journal has the join of a step's branches. */
export function joinAt(step: string): string {
  return `${step}#join`
}

/** What the recorded joins were: which branches had ended by then hung on how long calls took. Those count of steps that have the same branches still. */
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
