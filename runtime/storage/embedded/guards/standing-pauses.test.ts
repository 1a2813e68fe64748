import { expect, test } from 'vitest'
import type { Pause, PauseId, Scope } from '../../../domain/index.ts'
import type { PauseStore } from '../../port/index.ts'
import { keepStanding } from './standing-pauses.ts'

const everyone: Scope = { organizations: 'all' }
const pause = (id: string): Pause => ({ id }) as unknown as Pause

/** A store of pauses that counts its reads, and commits changes whether or not it can answer them. */
function counted() {
  const standing: Pause[] = []
  const reads = { inOrder: 0, other: 0 }
  const state = { answers: true, refuses: false, commit: (): void => {} }
  const store = {
    async begin(_scope: Scope, begun: Pause): Promise<Pause> {
      if (state.answers) {
        standing.push(begun)
        return begun
      }
      state.commit = () => standing.push(begun)
      throw new Error('no answer')
    },
    async end(_scope: Scope, id: PauseId): Promise<Pause> {
      return standing.splice(
        standing.findIndex((one) => one.id === id),
        1,
      )[0] as Pause
    },
    async standing(): Promise<readonly Pause[]> {
      reads.other += 1
      return [...standing]
    },
  } as unknown as PauseStore
  const inOrder = async (): Promise<readonly Pause[]> => {
    reads.inOrder += 1
    if (state.refuses) throw new Error('refused')
    state.commit()
    return [...standing]
  }
  return { pauses: keepStanding(store, inOrder), reads, state }
}

test('the pauses are read once, and again after each change', async () => {
  const { pauses, reads } = counted()
  expect(await pauses.standing(everyone)).toEqual([])
  expect(await pauses.standing(everyone)).toEqual([])
  expect(reads).toEqual({ inOrder: 1, other: 0 })
  await pauses.begin(everyone, pause('a'))
  expect(await pauses.standing(everyone)).toEqual([pause('a')])
  await pauses.end(everyone, pause('a').id, { at: 1 } as Pause['paused'])
  expect(await pauses.standing(everyone)).toEqual([])
  expect(reads).toEqual({ inOrder: 3, other: 0 })
})

test('a read that was under way during a change is not kept', async () => {
  const { pauses, reads } = counted()
  const before = pauses.standing(everyone)
  await pauses.begin(everyone, pause('a'))
  await before
  expect(await pauses.standing(everyone)).toEqual([pause('a')])
  expect(reads.inOrder).toBe(2)
})

test('a pause that could not be answered, but is committed later, stops the next write', async () => {
  const { pauses, state } = counted()
  await pauses.standing(everyone)
  state.answers = false
  await expect(pauses.begin(everyone, pause('late'))).rejects.toThrow('no answer')
  expect(await pauses.standing(everyone)).toEqual([pause('late')])
  expect(await pauses.standing(everyone)).toEqual([pause('late')])
})

test('while nothing can be written, the pauses are read, and what was read is not kept', async () => {
  const { pauses, reads, state } = counted()
  state.refuses = true
  await pauses.standing(everyone)
  await pauses.standing(everyone)
  expect(reads).toEqual({ inOrder: 2, other: 2 })
  state.refuses = false
  await pauses.standing(everyone)
  await pauses.standing(everyone)
  expect(reads).toEqual({ inOrder: 3, other: 2 })
})

test('one organization is always asked for anew, and so is everything after the store was closed', async () => {
  const { pauses, reads } = counted()
  await pauses.standing({ organizations: [] })
  await pauses.standing({ organizations: [] })
  await pauses.standing(everyone)
  pauses.forget()
  await pauses.standing(everyone)
  expect(reads).toEqual({ inOrder: 2, other: 2 })
})
