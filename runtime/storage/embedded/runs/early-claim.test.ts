import { expect, test } from 'vitest'
import { systemScope } from '../../../domain/index.ts'
import type { ClaimResult, RunClaim } from '../../port/index.ts'
import { claimBeforeCommit } from './early-claim.ts'

const claimed = { kind: 'claimed', run: { epoch: 1 }, position: 1, journal: [], heldSince: null } as unknown as ClaimResult
const again = { ...claimed, run: { epoch: 2 } } as unknown as ClaimResult
const fresh = { justStored: { alertId: 'ACME-EDR-1', organizationCode: 'ACME' } } as unknown as RunClaim

function claiming() {
  const executed = Promise.withResolvers<ClaimResult>()
  const committed = Promise.withResolvers<ClaimResult>()
  const plain: RunClaim[] = []
  const runs = {
    claim: async (_scope: unknown, claim: RunClaim) => {
      plain.push(claim)
      return claimed
    },
  }
  const claim = claimBeforeCommit(runs, () => ({ executed: executed.promise, committed: committed.promise }))
  return { executed, committed, plain, claim: (one: RunClaim) => claim(systemScope, one) }
}

test('the claim of a new alert is answered when it was executed, and `opened` waits for the commit', async () => {
  const { executed, committed, claim } = claiming()
  const answer = claim(fresh)
  executed.resolve(claimed)
  const { opened, ...rest } = (await answer) as Extract<ClaimResult, { kind: 'claimed' }>
  expect(rest).toEqual(claimed)
  expect(await Promise.race([opened?.then(() => 'opened'), Promise.resolve('not yet')])).toBe('not yet')
  committed.resolve(claimed)
  expect(await opened).toBeUndefined()
})

test('if the commit fails, `opened` rejects', async () => {
  const { executed, committed, claim } = claiming()
  executed.resolve(claimed)
  const { opened } = (await claim(fresh)) as Extract<ClaimResult, { kind: 'claimed' }>
  committed.reject(new Error('the disk is full'))
  await expect(opened).rejects.toThrow('the disk is full')
})

test('if the commit fails and nobody waits for `opened`, the process goes on', async () => {
  const { executed, committed, claim } = claiming()
  executed.resolve(claimed)
  await claim(fresh)
  committed.reject(new Error('the disk is full'))
  await new Promise(setImmediate)
})

test('a commit that fails before the claim was answered is its error', async () => {
  const { committed, claim } = claiming()
  const answer = claim(fresh)
  committed.reject(new Error('the store is closed'))
  await expect(answer).rejects.toThrow('the store is closed')
})

const others: readonly (readonly [string, ClaimResult])[] = [
  ['a run that is claimed again', again],
  ['a run that is over', { kind: 'over' }],
  ['a duplicate', { kind: 'duplicate' }],
]
test.for(others)('%s is answered with the commit', async ([, result]) => {
  const { executed, committed, claim } = claiming()
  const answer = claim(fresh)
  executed.resolve(result)
  expect(await Promise.race([answer.then(() => 'answered'), new Promise((resolve) => setImmediate(resolve, 'not yet'))])).toBe('not yet')
  committed.resolve(result)
  expect(await answer).toBe(result)
})

test('an alert that is not new is claimed as before', async () => {
  const { plain, claim } = claiming()
  const old = {} as RunClaim
  expect(await claim(old)).toBe(claimed)
  expect(plain).toEqual([old])
})
