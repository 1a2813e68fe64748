import { expect, test } from 'vitest'
import type { Company, SessionId } from '../../../../runtime/domain/index.ts'
import type { Store } from '../../../../runtime/storage/index.ts'
import {
  claimOf,
  ended,
  endOf,
  entryAt,
  everyone,
  insertOne,
  investigated,
  mustClaim,
  mustClaimUndo,
  newAlert,
  newTenant,
  noon,
  openSession,
  sleepOf,
  type Tenant,
  undoOf,
  uuid,
} from '../fixtures.ts'
import type { At } from '../harness.ts'

const hour = 3_600_000

export function deathCases(at: At): void {
  /** Lets every open session be silent until it is declared dead. */
  async function die(store: Store): Promise<void> {
    await at().pass(hour)
    await store.sessions.bury(everyone, hour)
  }

  /** Returns a claimed run, in its first execution. */
  async function inWork(): Promise<Awaited<ReturnType<typeof investigated>> & { readonly store: Store; readonly tenant: Tenant }> {
    const { store } = at()
    const tenant = newTenant()
    return { store, tenant, ...(await investigated(store, tenant)) }
  }

  const among = (company: Company, deathLimit = 3) => ({ among: { company, deathLimit } })

  test('the next claim counts each death of a process in which the run made no progress', async () => {
    const { store, alert, claimed } = await inWork()
    expect(claimed.run.deaths).toEqual({ inPlace: 0, total: 0 })
    for (const count of [1, 2, 3]) {
      await die(store)
      const later = await mustClaim(store, claimOf(alert, await openSession(store)))
      expect(later.run.deaths).toEqual({ inPlace: count, total: count })
      expect(await store.runs.get(everyone, claimed.run.id)).toEqual(later.run)
    }
  })

  test('progress resets the count in a row, but not the total', async () => {
    const { store, alert } = await inWork()
    await die(store)
    const second = await mustClaim(store, claimOf(alert, await openSession(store)))
    await store.journal.append(everyone, second.run.id, entryAt(second.position, 2))
    await die(store)
    const third = await mustClaim(store, claimOf(alert, await openSession(store)))
    expect(third.run.deaths).toEqual({ inPlace: 1, total: 2 })
    await die(store)
    expect((await mustClaim(store, claimOf(alert, await openSession(store)))).run.deaths).toEqual({ inPlace: 2, total: 3 })
  })

  test('a cancellation is no progress', async () => {
    const { store, alert } = await inWork()
    await die(store)
    const second = await mustClaim(store, claimOf(alert, await openSession(store)))
    await store.runs.cancel(everyone, second.run.id, { principal: uuid(), by: 'ada', reason: null, at: noon })
    await die(store)
    expect((await mustClaim(store, claimOf(alert, await openSession(store)))).run.deaths).toEqual({ inPlace: 2, total: 2 })
  })

  test('a session that was closed, is unknown or claims its own run again counts as no death', async () => {
    const { store, alert, session } = await inWork()
    expect((await mustClaim(store, claimOf(alert, session))).run.deaths.total).toBe(0)
    await store.sessions.close(everyone, session)
    expect((await mustClaim(store, claimOf(alert, uuid<SessionId>()))).run.deaths.total).toBe(0)
    const last = await openSession(store)
    expect((await mustClaim(store, claimOf(alert, last))).run.deaths.total).toBe(0)
    // The earlier count does not change.
    await die(store)
    const next = await openSession(store)
    expect((await mustClaim(store, claimOf(alert, next))).run.deaths).toEqual({ inPlace: 1, total: 1 })
    await store.sessions.close(everyone, next)
    expect((await mustClaim(store, claimOf(alert, await openSession(store)))).run.deaths).toEqual({ inPlace: 1, total: 1 })
  })

  test('a run that sleeps has no deaths, and has made progress', async () => {
    const { store, alert } = await inWork()
    await die(store)
    const second = await mustClaim(store, claimOf(alert, await openSession(store)))
    expect(second.run.deaths).toEqual({ inPlace: 1, total: 1 })
    await store.runs.sleep(everyone, sleepOf(second.run.id, 2, second.position, noon + 30))
    await die(store)
    expect(await store.runs.due(everyone, noon + 40, 1_000)).toContainEqual(
      expect.objectContaining({ run: second.run.id, deaths: { inPlace: 0, total: 1 } }),
    )
    const third = await mustClaim(store, claimOf(alert, await openSession(store), 1, noon + 40))
    expect(third.run.deaths).toEqual({ inPlace: 0, total: 1 })
  })

  test('a run that needs a stricter company than offered stays as it is', async () => {
    const { store, alert, claimed } = await inWork()
    await die(store)
    const session = await openSession(store)
    expect(await store.runs.claim(everyone, { ...claimOf(alert, session), ...among('any') })).toEqual({ kind: 'apart', company: 'few' })
    expect(await store.runs.get(everyone, claimed.run.id)).toEqual(claimed.run)
    expect(await store.journal.read(everyone, claimed.run.id)).toHaveLength(1)
    expect((await mustClaim(store, { ...claimOf(alert, session), ...among('few') })).run.deaths.inPlace).toBe(1)
    await die(store)
    const last = await openSession(store)
    expect(await store.runs.claim(everyone, { ...claimOf(alert, last), ...among('few') })).toEqual({ kind: 'apart', company: 'none' })
    expect((await mustClaim(store, { ...claimOf(alert, last), ...among('none') })).run.deaths.inPlace).toBe(2)
    await die(store)
    // The run is only claimed to be ended, so it needs no strict company.
    expect((await mustClaim(store, { ...claimOf(alert, await openSession(store)), ...among('any') })).run.deaths.inPlace).toBe(3)
  })

  test('orphans say how many deaths they will have; those with the fewest claims come first', async () => {
    const { store, tenant, alert } = await inWork()
    await die(store)
    await mustClaim(store, claimOf(alert, await openSession(store)))
    const other = await investigated(store, tenant)
    await die(store)
    expect(await store.runs.orphans(tenant.scope, 9)).toMatchObject([
      { uuid: other.alert.uuid, deaths: { inPlace: 1, total: 1 } },
      { uuid: alert.uuid, deaths: { inPlace: 2, total: 2 } },
    ])
    const left = await investigated(store, tenant)
    await store.sessions.close(everyone, left.session)
    expect(await store.runs.orphans(tenant.scope, 9)).toContainEqual(
      expect.objectContaining({ uuid: left.alert.uuid, deaths: { inPlace: 0, total: 0 } }),
    )
  })

  test('deaths in a run that undoes another are counted as well', async () => {
    const { store } = at()
    const { claimed } = await ended(store, newTenant())
    const opening = undoOf(claimed.run.id)
    await store.runs.openUndo(everyone, opening)
    expect((await mustClaimUndo(store, opening.run)).run.deaths.total).toBe(0)
    await die(store)
    const session = await openSession(store)
    const claim = { run: opening.run, session, at: noon + 300 }
    expect(await store.runs.claimUndo(everyone, { ...claim, ...among('any') })).toEqual({ kind: 'apart', company: 'few' })
    expect((await mustClaimUndo(store, opening.run)).run.deaths).toEqual({ inPlace: 1, total: 1 })
  })

  test('a run that has ended is over, however its process died', async () => {
    const { store, alert, claimed } = await inWork()
    await store.runs.end(everyone, endOf(claimed.run.id, 1, 1))
    await die(store)
    expect(await store.runs.claim(everyone, claimOf(alert, await openSession(store)))).toEqual({ kind: 'over' })
  })

  test('a process that dies while it prepares an alert is counted by the next one that prepares it', async () => {
    const { store } = at()
    const tenant = newTenant()
    const alert = await insertOne(store, newAlert(tenant))
    const prepare = async (attempt = 1): Promise<number> => store.alerts.prepare(everyone, alert.uuid, { attempt, session: await openSession(store) })
    expect(await prepare()).toBe(0)
    for (const count of [1, 2]) {
      await die(store)
      expect(await store.alerts.pending(tenant.scope, noon + 1, 9)).toMatchObject([{ uuid: alert.uuid, deaths: count }])
      expect(await prepare()).toBe(count)
    }
    // Each session was counted once.
    expect(await prepare()).toBe(2)
    const session = await openSession(store)
    expect((await mustClaim(store, claimOf(alert, session))).run.deaths).toEqual({ inPlace: 0, total: 2 })
  })

  test('a session that was closed or is alive counts as no death while preparing', async () => {
    const { store } = at()
    const alert = await insertOne(store, newAlert(newTenant()))
    const [first, second, third] = [await openSession(store), await openSession(store), await openSession(store)]
    const prepare = (session: SessionId): Promise<number> => store.alerts.prepare(everyone, alert.uuid, { attempt: 1, session })
    await prepare(first)
    expect(await prepare(second)).toBe(0)
    // The note of the first session is still there.
    await store.sessions.close(everyone, second)
    await at().pass(hour)
    await store.sessions.heartbeat(everyone, third)
    await store.sessions.bury(everyone, hour)
    expect(await prepare(third)).toBe(1)
    expect(await prepare(third)).toBe(1)
    await store.sessions.close(everyone, third)
    expect(await prepare(await openSession(store))).toBe(1)
  })

  test('an alert that was prepared and waits gets no deaths; earlier ones stay', async () => {
    const { store } = at()
    const tenant = newTenant()
    const alert = await insertOne(store, newAlert(tenant))
    const prepare = (session: SessionId): Promise<number> => store.alerts.prepare(everyone, alert.uuid, { attempt: 1, session })
    await prepare(await openSession(store))
    await die(store)
    const session = await openSession(store)
    expect(await prepare(session)).toBe(1)
    // A session removes only its own note.
    await store.alerts.prepared(everyone, alert.uuid, uuid<SessionId>())
    await store.alerts.prepared(everyone, alert.uuid, session)
    await die(store)
    expect(await store.alerts.pending(tenant.scope, noon + 1, 9)).toMatchObject([{ uuid: alert.uuid, deaths: 1 }])
    const next = await openSession(store)
    expect(await prepare(next)).toBe(1)
    await store.alerts.prepared(everyone, alert.uuid, session)
    await die(store)
    expect(await prepare(await openSession(store))).toBe(2)
    const last = await openSession(store)
    await store.alerts.prepared(everyone, alert.uuid, last)
    expect((await mustClaim(store, claimOf(alert, last))).run.deaths).toEqual({ inPlace: 0, total: 2 })
  })

  test('an alert that needs a stricter company is not noted as prepared', async () => {
    const { store } = at()
    const tenant = newTenant()
    const alert = await insertOne(store, newAlert(tenant))
    const prepare = async (company: Company): Promise<number> =>
      store.alerts.prepare(everyone, alert.uuid, { attempt: 1, session: await openSession(store), ...among(company) })
    expect(await prepare('any')).toBe(0)
    await die(store)
    expect(await prepare('any')).toBe(1)
    await die(store)
    expect(await prepare('few')).toBe(1)
    await die(store)
    expect(await prepare('few')).toBe(2)
    await die(store)
    expect(await prepare('none')).toBe(2)
    await die(store)
    // The alert is only prepared to be ended, so it needs no strict company.
    expect(await prepare('any')).toBe(3)
  })

  test('another attempt starts without earlier deaths, and an alert that has a run is no longer prepared', async () => {
    const { store } = at()
    const tenant = newTenant()
    const alert = await insertOne(store, newAlert(tenant))
    await store.alerts.prepare(everyone, alert.uuid, { attempt: 1, session: await openSession(store) })
    await die(store)
    const session = await openSession(store)
    expect(await store.alerts.prepare(everyone, alert.uuid, { attempt: 1, session })).toBe(1)
    const { run, position } = await mustClaim(store, claimOf(alert, session))
    await store.runs.end(everyone, endOf(run.id, 1, position, { state: 'failed' }))
    await die(store)
    await store.alerts.retry(everyone, alert.uuid, noon + 200)
    expect(await store.alerts.pending(tenant.scope, noon + 201, 9)).toMatchObject([{ uuid: alert.uuid, retryCount: 1, deaths: 0 }])
    const next = await openSession(store)
    expect(await store.alerts.prepare(everyone, alert.uuid, { attempt: 2, session: next })).toBe(0)
    expect((await mustClaim(store, claimOf(alert, next, 2))).run.deaths.total).toBe(0)
  })
}
