import { expect } from 'vitest'
import { type PauseId, runId } from '../../../../runtime/domain/index.ts'
import {
  alertNow,
  cancellation,
  claimOf,
  endOf,
  everyone,
  failedUntil,
  insertOne,
  mustClaim,
  newAlert,
  noon,
  noteOf,
  openSession,
  sleepOf,
  undoOf,
  uuid,
} from '../fixtures.ts'
import { attempt, nothing, type ScopeCases } from './world.ts'

export const runs: ScopeCases<'runs'> = {
  async claim({ store, stranger, owner, claimed }) {
    const alert = await insertOne(store, newAlert(owner))
    const session = await openSession(store)
    for (const claim of [claimOf(alert, session), { ...claimOf(alert, session), organization: stranger.id }])
      expect(await store.runs.claim(stranger.scope, claim)).toEqual({ kind: 'over' })
    expect(await alertNow(store, alert.uuid)).toEqual(alert)
    expect(await store.runs.ofAlert(everyone, alert.uuid)).toEqual([])
    const takeover = claimOf(await alertNow(store, claimed.run.alert), session)
    expect(await store.runs.claim(stranger.scope, takeover)).toEqual({ kind: 'over' })
    expect((await store.runs.get(everyone, claimed.run.id))?.epoch).toBe(1)
  },
  async openUndo({ store, stranger, owner, over }) {
    const opening = undoOf(runId(over.uuid, 1))
    expect(await store.runs.openUndo(stranger.scope, opening)).toBeNull()
    expect(await store.runs.get(everyone, opening.run)).toBeNull()
    expect(await store.runs.openUndo(owner.scope, opening)).toMatchObject({ id: opening.run })
  },
  async claimUndo({ store, stranger, owner, over }) {
    const opening = undoOf(runId(over.uuid, 1))
    const standing = await store.runs.openUndo(owner.scope, opening)
    const claim = { run: opening.run, session: await openSession(store), at: opening.at }
    expect(await store.runs.claimUndo(stranger.scope, claim)).toEqual({ kind: 'over' })
    expect(await store.runs.get(everyone, opening.run)).toEqual(standing)
    expect(await store.runs.claimUndo(owner.scope, claim)).toMatchObject({ kind: 'claimed' })
  },
  async end({ store, stranger, claimed, alert }) {
    const { run, position } = claimed
    expect(await attempt(store.runs.end(stranger.scope, endOf(run.id, 1, position, { entries: [noteOf('x')] })))).not.toBe('ended')
    expect(await store.runs.get(everyone, run.id)).toEqual(run)
    expect(await store.journal.read(everyone, run.id)).toHaveLength(1)
    expect((await alertNow(store, alert.uuid)).status).toBe(10)
  },
  async sleep({ store, stranger, claimed }) {
    const { run, position } = claimed
    const sleep = sleepOf(run.id, 1, position, null)
    expect(await attempt(store.runs.sleep(stranger.scope, sleep))).not.toBe('slept')
    expect(await store.runs.get(everyone, run.id)).toEqual(run)
    expect(await store.journal.read(everyone, run.id)).toHaveLength(1)
  },
  async cancel({ store, stranger, claimed }) {
    expect(await store.runs.cancel(stranger.scope, claimed.run.id, cancellation)).toBeNull()
    expect(await store.runs.get(everyone, claimed.run.id)).toEqual(claimed.run)
    expect(await store.journal.read(everyone, claimed.run.id)).toHaveLength(1)
  },
  async dropRetry({ store, stranger, owner }) {
    const { run } = await failedUntil(store, owner, noon + 200)
    expect(await store.runs.dropRetry(stranger.scope, run.id)).toBe(false)
    expect((await store.runs.get(everyone, run.id))?.retryAt).toBe(noon + 200)
    expect(await store.runs.dropRetry(owner.scope, run.id)).toBe(true)
  },
  async cancelled({ store, stranger, owner, claimed }) {
    await store.runs.cancel(owner.scope, claimed.run.id, cancellation)
    expect(await store.runs.cancelled(stranger.scope, claimed.run.owner)).toEqual([])
    expect(await store.runs.cancelled(owner.scope, claimed.run.owner)).toEqual([claimed.run.id])
  },
  async wake({ store, stranger, owner, claimed }) {
    const { run, position } = claimed
    await store.runs.sleep(owner.scope, sleepOf(run.id, 1, position, noon + 90))
    await attempt(store.runs.wake(stranger.scope, run.id, noon))
    expect((await store.runs.get(everyone, run.id))?.wakeAt).toBe(noon + 90)
    await store.runs.wake(owner.scope, run.id, noon)
    expect((await store.runs.get(everyone, run.id))?.wakeAt).toBe(noon)
  },
  async hold({ store, stranger, owner, claimed, alert }) {
    await attempt(store.runs.hold(stranger.scope, claimed.run.id, uuid<PauseId>(), noon))
    expect((await store.runs.orphans(owner.scope, 9)).map(({ uuid: id }) => id)).toContain(alert.uuid)
  },
  async release({ store, stranger, owner, claimed }) {
    await store.runs.hold(owner.scope, claimed.run.id, uuid<PauseId>(), noon)
    expect(await store.runs.release(stranger.scope, 9)).toBe(0)
    expect(await store.runs.orphans(owner.scope, 9)).toEqual([])
    expect(await store.runs.release(owner.scope, 9)).toBe(1)
  },
  async due({ store, stranger, owner, claimed, alert }) {
    await store.runs.sleep(owner.scope, sleepOf(claimed.run.id, 1, claimed.position, noon))
    expect(await store.runs.due(stranger.scope, noon, 9)).toEqual([])
    expect((await store.runs.due(owner.scope, noon, 9)).map(({ uuid: id }) => id)).toEqual([alert.uuid])
  },
  async get({ store, stranger, owner, claimed }) {
    expect(await store.runs.get(stranger.scope, claimed.run.id)).toBeNull()
    expect(await store.runs.get(owner.scope, claimed.run.id)).toEqual(claimed.run)
  },
  async list({ store, stranger, owner, claimed }) {
    const all = { after: null, limit: 9 }
    expect(await store.runs.list(stranger.scope, all)).toEqual(nothing)
    expect(await store.runs.list(stranger.scope, { ...all, organizations: [owner.id] })).toEqual(nothing)
    expect((await store.runs.list(owner.scope, all)).items).toContainEqual(claimed.run)
  },
  async ofAlert({ store, stranger, owner, claimed, alert }) {
    expect(await store.runs.ofAlert(stranger.scope, alert.uuid)).toEqual([])
    expect(await store.runs.ofAlert(owner.scope, alert.uuid)).toEqual([claimed.run])
  },
  async undosOfAlert({ store, stranger, owner, over }) {
    const undo = await store.runs.openUndo(everyone, undoOf(runId(over.uuid, 1)))
    expect(await store.runs.undosOfAlert(stranger.scope, over.uuid)).toEqual([])
    expect(await store.runs.undosOfAlert(owner.scope, over.uuid)).toEqual([undo])
  },
  async orphans({ store, stranger, owner, alert }) {
    expect(await store.runs.orphans(stranger.scope, 9)).toEqual([])
    expect((await store.runs.orphans(owner.scope, 9)).map(({ uuid: id }) => id)).toContain(alert.uuid)
  },
  async forgetWindows({ store, stranger, owner }) {
    const alert = await insertOne(store, newAlert(owner))
    await mustClaim(store, { ...claimOf(alert, await openSession(store)), fingerprint: { digest: 'd', within: 1 } })
    expect(await store.runs.forgetWindows(stranger.scope, noon + 2)).toBe(0)
    expect(await store.runs.forgetWindows(owner.scope, noon + 2)).toBe(1)
  },
  async settle({ store, stranger }) {
    expect(await store.runs.settle(stranger.scope, 9)).toBe(0)
  },
}
