import { expect, test } from 'vitest'
import type { SessionId } from '../../../../runtime/domain/index.ts'
import { claimOf, everyone, investigated, mustClaim, newTenant, openSession, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'

const hour = 3_600_000

export function sessionCases(at: At): void {
  test("an open session's heartbeat succeeds; an unknown session's fails", async () => {
    const { store } = at()
    expect(await store.sessions.heartbeat(everyone, await openSession(store))).toBe(true)
    expect(await store.sessions.heartbeat(everyone, uuid<SessionId>())).toBe(false)
  })

  test('bury declares only those sessions dead that were silent for that long', async () => {
    const { store } = at()
    await store.sessions.bury(everyone, -hour)
    const [silent, beating] = [await openSession(store), await openSession(store)]
    expect(await store.sessions.bury(everyone, hour)).toBe(0)
    await at().pass(2 * hour)
    expect(await store.sessions.heartbeat(everyone, beating)).toBe(true)
    const late = await openSession(store)
    expect(await store.sessions.bury(everyone, hour)).toBe(1)
    expect(await store.sessions.heartbeat(everyone, silent)).toBe(false)
    expect(await store.sessions.heartbeat(everyone, beating)).toBe(true)
    expect(await store.sessions.heartbeat(everyone, late)).toBe(true)
  })

  test('a dead session stays dead and is counted once', async () => {
    const { store } = at()
    const session = await openSession(store)
    await at().pass(hour)
    expect(await store.sessions.bury(everyone, hour)).toBeGreaterThan(0)
    for (const _ of [1, 2]) expect(await store.sessions.heartbeat(everyone, session)).toBe(false)
    expect(await store.sessions.bury(everyone, hour)).toBe(0)
    await expect(store.sessions.open(everyone, { id: session, host: 'again', pid: 1 })).rejects.toThrow()
    expect(await store.sessions.heartbeat(everyone, session)).toBe(false)
  })

  test('the runs of a buried session are free', async () => {
    const { store } = at()
    const tenant = newTenant()
    const { alert } = await investigated(store, tenant)
    const successor = await openSession(store)
    expect(await store.runs.claim(everyone, claimOf(alert, successor))).toEqual({ kind: 'held' })
    await at().pass(hour)
    await store.sessions.heartbeat(everyone, successor)
    await store.sessions.bury(everyone, hour)
    expect(await store.runs.orphans(tenant.scope, 9)).toMatchObject([{ uuid: alert.uuid }])
    expect((await mustClaim(store, claimOf(alert, successor))).run.epoch).toBe(2)
  })

  test('the runs of a closed session are free at once', async () => {
    const { store } = at()
    const { alert, session } = await investigated(store, newTenant())
    await store.sessions.close(everyone, session)
    expect(await store.sessions.heartbeat(everyone, session)).toBe(false)
    expect((await mustClaim(store, claimOf(alert, await openSession(store)))).run.epoch).toBe(2)
  })
}
