import { expect, test } from 'vitest'
import { asId, type ConnectionId, type OrganizationId, type Pause, type PauseId, type PauseTarget, type PrincipalId } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Store } from '../../storage/index.ts'
import { pauseCheckOf } from './pause-check.ts'

const write = { organization: asId<OrganizationId>('acme'), playbooks: ['main'], connections: [asId<ConnectionId>('c')] }
function paused(id: string, target: PauseTarget): Pause {
  return { id: asId<PauseId>(id), target, paused: { at: 0, principal: asId<PrincipalId>('ada'), by: 'ada', reason: null }, resumed: null }
}
const everything = paused('all', { kind: 'everything' })
const elsewhere = paused('else', { kind: 'connection', connection: asId<ConnectionId>('d'), instance: 'd', owner: null })

/** A store that says what is paused, and counts how often it was asked. */
function storeWith(standing: readonly Pause[]) {
  const asked: number[] = []
  const pauses = {
    standing: async () => {
      asked.push(asked.length)
      return standing
    },
  }
  return { asked, store: { pauses } as unknown as Pick<Store, 'pauses'> }
}

test.each([
  ['nothing', [], null],
  ['something else', [elsewhere], null],
  ['everything', [elsewhere, everything], { code: 'paused', turnedAway: { pause: 'all' } }],
])('a look that was begun ahead, when %s was paused, is the first check, and each later one asks', async (_what, standing, denial) => {
  const { asked, store } = storeWith([])
  const check = pauseCheckOf(store, write, { at: 7, standing: Promise.resolve(standing) })
  const told = await check.ahead?.denial
  if (denial) expect(told).toMatchObject(denial)
  else expect(told).toBeNull()
  expect([check.ahead?.at, asked.length]).toEqual([7, 0])
  expect(await check()).toBeNull()
  expect(asked).toHaveLength(1)
})

test('a look that the store did not answer lets nothing leave', async () => {
  const { store } = storeWith([])
  const check = pauseCheckOf(store, write, { at: 7, standing: Promise.reject(new TocsinError('store_unavailable', 'away')) })
  expect(await check.ahead?.denial).toMatchObject({ code: 'store_unavailable', turnedAway: { pause: null } })
})

test('without such a look, each check asks', async () => {
  const { asked, store } = storeWith([everything])
  const check = pauseCheckOf(store, write)
  expect(check.ahead).toBeUndefined()
  for (let times = 0; times < 2; times += 1) expect(await check()).toMatchObject({ code: 'paused' })
  expect(asked).toHaveLength(2)
})
