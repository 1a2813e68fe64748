import { expect, test } from 'vitest'
import {
  type Alert,
  type ApiKey,
  type Connection,
  closedAs,
  type Decision,
  type Organization,
  type Principal,
} from '../../../runtime/domain/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { activationOf, newArtifact } from './artifacts.ts'
import { newConnection, testResult } from './connections.ts'
import { newDecision } from './decisions.ts'
import {
  alertNow,
  type Claimed,
  claimOf,
  ended,
  endOf,
  entryAt,
  everyone,
  insertOne,
  investigated,
  newAlert,
  newPrincipal,
  newTenant,
  noon,
  noteOf,
  openSession,
  organizationOf,
  type Tenant,
  uuid,
} from './fixtures.ts'
import type { At } from './harness.ts'
import { newPolicy } from './policies.ts'
import { keyOf } from './principals.ts'
import { leaseOf, tokenOf, tokenRefusal } from './tokens.ts'

/** Everything that one organization can have; a stranger knows every id of it. */
interface World {
  readonly store: Store
  readonly owner: Tenant
  readonly stranger: Tenant
  readonly organization: Organization
  readonly principal: Principal
  readonly key: ApiKey
  readonly connection: Connection
  readonly shared: Connection
  readonly alert: Alert
  readonly claimed: Claimed
  readonly over: Alert
  readonly decision: Decision
  readonly playbookKey: string
}

async function makeWorld(store: Store): Promise<World> {
  const [owner, stranger] = [newTenant(), newTenant()]
  const organization = organizationOf(owner)
  const principal = newPrincipal([owner.id])
  const key = keyOf(principal)
  const [connection, shared] = [newConnection(owner.id), newConnection(null)]
  const playbookKey = uuid()
  const artifact = newArtifact(owner.id)
  await store.organizations.create(everyone, organization)
  await store.principals.create(everyone, principal)
  await store.principals.addKey(everyone, key)
  await store.connections.create(everyone, connection)
  await store.connections.create(everyone, shared)
  await store.artifacts.put(everyone, [artifact])
  await store.artifacts.activate(everyone, activationOf(artifact, playbookKey, 1))
  const { alert, claimed, session } = await investigated(store, owner)
  await store.journal.putOutput(everyone, claimed.run.id, 'a', '1')
  await store.sessions.close(everyone, session)
  const over = (await ended(store, owner)).alert
  const decision = await store.decisions.open(everyone, newDecision(owner))
  return { store, owner, stranger, organization, principal, key, connection, shared, alert, claimed, over, decision, playbookKey }
}

/** Waits for an operation that a scope does not reach: whether it answers or throws, what it must not have done is checked afterwards. */
async function attempt(operation: Promise<unknown>): Promise<unknown> {
  return operation.catch(() => 'refused')
}

type Aggregates = Omit<Store, 'ping' | 'close'>
/** A case for each method of the port; the compiler says when one is missing. */
type Cases = { readonly [A in keyof Aggregates]: { readonly [M in keyof Aggregates[A]]: (world: World) => Promise<void> } }

const nothing = { items: [], more: false }

const cases: Cases = {
  organizations: {
    async create({ store, stranger }) {
      await attempt(store.organizations.create(stranger.scope, organizationOf(stranger)))
      expect(await store.organizations.byId(everyone, [stranger.id])).toEqual([])
    },
    async byCode({ store, stranger, owner, organization }) {
      expect(await store.organizations.byCode(stranger.scope, [owner.code])).toEqual([])
      expect(await store.organizations.byCode(owner.scope, [owner.code])).toEqual([organization])
    },
    async byId({ store, stranger, owner, organization }) {
      expect(await store.organizations.byId(stranger.scope, [owner.id])).toEqual([])
      expect(await store.organizations.byId(owner.scope, [owner.id])).toEqual([organization])
    },
    async list({ store, stranger, owner, organization }) {
      expect(await store.organizations.list(stranger.scope, { after: null, limit: 9 })).toEqual(nothing)
      expect(await store.organizations.list(owner.scope, { after: null, limit: 9 })).toEqual({ items: [organization], more: false })
    },
  },
  policies: {
    async get({ store, stranger, owner }) {
      const own = newPolicy(owner)
      await store.policies.set(everyone, own)
      expect(await store.policies.get(stranger.scope, owner.id)).toBeNull()
      expect(await store.policies.get(owner.scope, owner.id)).toEqual(own)
    },
    async all({ store, stranger, owner }) {
      const own = newPolicy(owner)
      await store.policies.set(everyone, own)
      expect(await store.policies.all(stranger.scope)).toEqual([])
      expect(await store.policies.all(owner.scope)).toEqual([own])
    },
    async set({ store, stranger, owner }) {
      await attempt(store.policies.set(stranger.scope, newPolicy(owner)))
      expect(await store.policies.get(everyone, owner.id)).toBeNull()
    },
    async history({ store, stranger, owner }) {
      await store.policies.set(everyone, newPolicy(owner))
      expect(await store.policies.history(stranger.scope, owner.id)).toEqual([])
      expect(await store.policies.history(owner.scope, owner.id)).toHaveLength(1)
    },
  },
  // Providers belong to the platform: every scope sees all of them.
  providers: {
    async create({ store, stranger }) {
      const provider = { code: uuid(), name: 'x', createdAt: noon, createdBy: newPrincipal('all').id }
      expect(await store.providers.create(stranger.scope, provider)).toBe('created')
    },
    async byCode({ store, stranger, owner }) {
      const provider = { code: uuid(), name: 'x', createdAt: noon, createdBy: newPrincipal('all').id }
      await store.providers.create(everyone, provider)
      for (const { scope } of [stranger, owner]) expect(await store.providers.byCode(scope, [provider.code])).toEqual([provider])
    },
    async list({ store, stranger, owner }) {
      const [mine, theirs] = await Promise.all([stranger, owner].map(({ scope }) => store.providers.list(scope, { after: null, limit: 500 })))
      expect(mine?.items.length).toBeGreaterThan(0)
      expect(mine).toEqual(theirs)
    },
  },
  principals: {
    async create({ store, stranger, owner }) {
      for (const principal of [newPrincipal([owner.id]), newPrincipal([stranger.id, owner.id]), newPrincipal('all')]) {
        await attempt(store.principals.create(stranger.scope, principal))
        expect(await store.principals.byId(everyone, [principal.id])).toEqual([])
      }
    },
    async byId({ store, stranger, owner, principal }) {
      const [both, all] = [newPrincipal([stranger.id, owner.id]), newPrincipal('all')]
      for (const other of [both, all]) await store.principals.create(everyone, other)
      expect(await store.principals.byId(stranger.scope, [principal.id, both.id, all.id])).toEqual([])
      expect(await store.principals.byId(owner.scope, [principal.id, both.id, all.id])).toEqual([principal])
      const wide = { organizations: [stranger.id, owner.id] }
      expect((await store.principals.byId(wide, [principal.id, both.id, all.id])).map(({ id }) => id).sort()).toEqual([principal.id, both.id].sort())
    },
    async addKey({ store, stranger, principal }) {
      const key = keyOf(principal)
      await attempt(store.principals.addKey(stranger.scope, key))
      expect(await store.principals.keyByHash(everyone, key.hash)).toBeNull()
    },
    async keyByHash({ store, stranger, owner, key, principal }) {
      expect(await store.principals.keyByHash(stranger.scope, key.hash)).toBeNull()
      expect(await store.principals.keyByHash(owner.scope, key.hash)).toEqual({ key, principal })
    },
    async listKeys({ store, stranger, owner, key, principal }) {
      expect(await store.principals.listKeys(stranger.scope, { after: null, limit: 9 })).toEqual(nothing)
      expect(await store.principals.listKeys(owner.scope, { after: null, limit: 9 })).toEqual({ items: [{ key, principal }], more: false })
    },
    async revokeKey({ store, stranger, key }) {
      expect(await store.principals.revokeKey(stranger.scope, key.id, noon)).toBeNull()
      expect((await store.principals.keyByHash(everyone, key.hash))?.key.revokedAt).toBeNull()
    },
  },
  connections: {
    async create({ store, stranger, owner }) {
      for (const connection of [newConnection(owner.id), newConnection(null)]) {
        await attempt(store.connections.create(stranger.scope, connection))
        expect(await store.connections.byId(everyone, [connection.id])).toEqual([])
      }
    },
    async byId({ store, stranger, owner, connection, shared }) {
      expect(await store.connections.byId(stranger.scope, [connection.id, shared.id])).toEqual([shared])
      expect(await store.connections.byId(owner.scope, [connection.id])).toEqual([connection])
    },
    async forOrganization({ store, stranger, owner, connection, shared }) {
      expect(await store.connections.forOrganization(stranger.scope, owner.id)).toEqual([])
      const own = await store.connections.forOrganization(owner.scope, owner.id)
      expect(own).toEqual(expect.arrayContaining([connection, shared]))
      expect(await store.connections.forOrganization(stranger.scope, stranger.id)).not.toContainEqual(connection)
    },
    async list({ store, stranger, owner, connection, shared }) {
      const { items } = await store.connections.list(stranger.scope, { after: null, limit: 500 })
      expect(items).toContainEqual(shared)
      expect(items).not.toContainEqual(connection)
      expect((await store.connections.list(owner.scope, { after: null, limit: 500 })).items).toContainEqual(connection)
    },
    async revise({ store, stranger, owner, connection, shared }) {
      for (const standing of [connection, shared]) {
        for (const organization of [standing.organization, stranger.id, owner.id])
          await attempt(store.connections.revise(stranger.scope, { ...standing, organization, revision: 2 }))
        expect(await store.connections.byId(everyone, [standing.id])).toEqual([standing])
      }
      const own = newConnection(stranger.id)
      await store.connections.create(stranger.scope, own)
      for (const organization of [owner.id, null]) await attempt(store.connections.revise(stranger.scope, { ...own, organization, revision: 2 }))
      expect(await store.connections.byId(everyone, [own.id])).toEqual([own])
    },
    async noteTest({ store, stranger, connection, shared }) {
      for (const standing of [connection, shared]) {
        expect(await store.connections.noteTest(stranger.scope, standing, testResult)).toBe(false)
        expect(await store.connections.byId(everyone, [standing.id])).toEqual([standing])
      }
    },
    async remove({ store, stranger, connection, shared }) {
      for (const { id } of [connection, shared]) {
        expect(await store.connections.remove(stranger.scope, id)).toBe(false)
        expect(await store.connections.byId(everyone, [id])).toHaveLength(1)
      }
    },
  },
  // Who sees a connection uses and renews its token: a shared one acts for every organization.
  tokens: {
    async get({ store, stranger, owner, connection, shared }) {
      for (const one of [connection, shared]) {
        await store.tokens.lease(everyone, one, leaseOf({ holder: 'a' }))
        await store.tokens.put(everyone, one, 'a', tokenOf('one'))
        expect(await store.tokens.get(owner.scope, one)).toMatchObject({ version: 1 })
      }
      expect(await store.tokens.get(stranger.scope, connection)).toBeNull()
      expect(await store.tokens.get(stranger.scope, shared)).toMatchObject({ version: 1 })
    },
    async lease({ store, stranger, owner, connection, shared }) {
      expect(await store.tokens.lease(stranger.scope, connection, leaseOf())).toEqual({ kind: 'gone' })
      expect(await store.tokens.lease(owner.scope, connection, leaseOf())).toEqual({ kind: 'taken' })
      expect(await store.tokens.lease(stranger.scope, shared, leaseOf())).toEqual({ kind: 'taken' })
    },
    async put({ store, stranger, owner, connection, shared }) {
      for (const one of [connection, shared]) await store.tokens.lease(everyone, one, leaseOf({ holder: 'a' }))
      expect(await store.tokens.put(stranger.scope, connection, 'a', tokenOf('theirs'))).toBeNull()
      expect(await store.tokens.get(everyone, connection)).toBeNull()
      expect(await store.tokens.put(owner.scope, connection, 'a', tokenOf('own'))).toMatchObject({ version: 1 })
      expect(await store.tokens.put(stranger.scope, shared, 'a', tokenOf('own'))).toMatchObject({ version: 1 })
    },
    async release({ store, stranger, owner, connection }) {
      await store.tokens.lease(everyone, connection, leaseOf({ holder: 'a' }))
      await attempt(store.tokens.release(stranger.scope, connection, 'a', { refusal: tokenRefusal, duration: 60_000 }))
      expect(await store.tokens.lease(owner.scope, connection, leaseOf())).toEqual({ kind: 'held' })
    },
  },
  artifacts: {
    async put({ store, stranger, owner }) {
      for (const artifact of [newArtifact(owner.id), newArtifact(null)]) {
        await attempt(store.artifacts.put(stranger.scope, [newArtifact(stranger.id), artifact]))
        expect(await store.artifacts.get(everyone, artifact.digest)).toBeNull()
      }
    },
    async get({ store, stranger, owner }) {
      const [own, shared] = [newArtifact(owner.id), newArtifact(null)]
      await store.artifacts.put(everyone, [own, shared])
      expect(await store.artifacts.get(stranger.scope, own.digest)).toBeNull()
      expect(await store.artifacts.get(stranger.scope, shared.digest)).toEqual(shared)
      const same = { ...own, organization: stranger.id }
      await store.artifacts.put(stranger.scope, [same])
      expect(await store.artifacts.get(stranger.scope, own.digest)).toEqual(same)
      expect(await store.artifacts.get(owner.scope, own.digest)).toEqual(own)
    },
    async active({ store, stranger, owner, playbookKey }) {
      const place = { kind: 'playbook', organization: owner.id, key: playbookKey } as const
      expect(await store.artifacts.active(stranger.scope, place)).toBeNull()
      expect(await store.artifacts.active(owner.scope, place)).toMatchObject({ key: playbookKey })
    },
    async listActive({ store, stranger, owner, playbookKey }) {
      const shared = activationOf(newArtifact(null), uuid(), 1)
      await store.artifacts.activate(everyone, shared)
      const keys = async ({ scope }: Tenant) => (await store.artifacts.listActive(scope, 'playbook')).map(({ key }) => key)
      expect(await keys(stranger)).toContain(shared.key)
      expect(await keys(stranger)).not.toContain(playbookKey)
      expect(await keys(owner)).toContain(playbookKey)
    },
    async activate({ store, stranger, owner, playbookKey }) {
      await attempt(store.artifacts.activate(stranger.scope, activationOf(newArtifact(owner.id), playbookKey, 2)))
      const place = { kind: 'playbook', organization: owner.id, key: playbookKey } as const
      expect((await store.artifacts.active(everyone, place))?.revision).toBe(1)
      const key = uuid()
      await attempt(store.artifacts.activate(stranger.scope, activationOf(newArtifact(null), key, 1)))
      expect(await store.artifacts.active(everyone, { kind: 'playbook', organization: null, key })).toBeNull()
    },
    async history({ store, stranger, owner, playbookKey }) {
      const place = { kind: 'playbook', organization: owner.id, key: playbookKey } as const
      expect(await store.artifacts.history(stranger.scope, place)).toEqual([])
      expect(await store.artifacts.history(owner.scope, place)).toHaveLength(1)
    },
  },
  alerts: {
    async insert({ store, stranger, owner }) {
      const alert = newAlert(owner)
      expect(await attempt(store.alerts.insert(stranger.scope, [alert]))).toBe('refused')
      expect(await store.alerts.get(everyone, [alert.uuid])).toEqual([])
    },
    async get({ store, stranger, owner, alert, over }) {
      expect(await store.alerts.get(stranger.scope, [alert.uuid, over.uuid])).toEqual([])
      expect(await store.alerts.get(owner.scope, [alert.uuid])).toHaveLength(1)
    },
    async byAlertId({ store, stranger, owner, alert }) {
      expect(await store.alerts.byAlertId(stranger.scope, alert.alertId)).toBeNull()
      expect(await store.alerts.byAlertId(owner.scope, alert.alertId)).toMatchObject({ uuid: alert.uuid })
    },
    async list({ store, stranger, owner, alert }) {
      const query = { sort: 'created_at', after: null, limit: 9, preview: 9 } as const
      for (const parts of [{}, { organizations: [owner.id] }, { words: ['mail'] }])
        expect(await store.alerts.list(stranger.scope, { ...query, ...parts })).toEqual(nothing)
      expect((await store.alerts.list(owner.scope, { ...query, words: ['mail'] })).items.map(({ uuid: id }) => id)).toContain(alert.uuid)
    },
    async submit({ store, stranger, owner }) {
      const alert = await insertOne(store, newAlert(owner))
      await attempt(store.alerts.submit(stranger.scope, [alert.uuid], noon + 1))
      expect(await alertNow(store, alert.uuid)).toEqual(alert)
    },
    async retry({ store, stranger, over }) {
      const before = await alertNow(store, over.uuid)
      expect(await store.alerts.retry(stranger.scope, over.uuid, noon)).toBeNull()
      expect(await alertNow(store, over.uuid)).toEqual(before)
    },
    async pending({ store, stranger, owner }) {
      const alert = await insertOne(store, newAlert(owner))
      expect(await store.alerts.pending(stranger.scope, noon + 1, 9)).toEqual([])
      expect(await store.alerts.pending(owner.scope, noon + 1, 9)).toMatchObject([{ uuid: alert.uuid }])
    },
    async repair({ store, stranger }) {
      expect(await store.alerts.repair(stranger.scope, noon + 1)).toBe(0)
    },
  },
  // Sessions are the installation's: they hold nothing of a tenant, and a scope neither hides nor protects them.
  sessions: {
    async open({ store, stranger }) {
      await store.sessions.open(stranger.scope, { id: uuid(), host: 'h', pid: 1 })
    },
    async heartbeat({ store, stranger }) {
      expect(await store.sessions.heartbeat(stranger.scope, await openSession(store))).toBe(true)
    },
    async close({ store, stranger }) {
      const session = await openSession(store)
      await store.sessions.close(stranger.scope, session)
      expect(await store.sessions.heartbeat(everyone, session)).toBe(false)
    },
    async bury({ store, stranger }) {
      expect(await store.sessions.bury(stranger.scope, 3_600_000)).toBe(0)
    },
  },
  runs: {
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
    async end({ store, stranger, claimed, alert }) {
      const { run, position } = claimed
      expect(await attempt(store.runs.end(stranger.scope, endOf(run.id, 1, position, { entries: [noteOf('x')] })))).not.toBe('ended')
      expect(await store.runs.get(everyone, run.id)).toEqual(run)
      expect(await store.journal.read(everyone, run.id)).toHaveLength(1)
      expect((await alertNow(store, alert.uuid)).status).toBe(10)
    },
    async sleep({ store, stranger, claimed }) {
      const { run, position } = claimed
      const sleep = { run: run.id, epoch: 1, position, records: [], wakeAt: null, at: noon }
      expect(await attempt(store.runs.sleep(stranger.scope, sleep))).not.toBe('slept')
      expect(await store.runs.get(everyone, run.id)).toEqual(run)
      expect(await store.journal.read(everyone, run.id)).toHaveLength(1)
    },
    async wake({ store, stranger, owner, claimed }) {
      const { run, position } = claimed
      await store.runs.sleep(owner.scope, { run: run.id, epoch: 1, position, records: [], wakeAt: noon + 90, at: noon })
      await attempt(store.runs.wake(stranger.scope, run.id, noon))
      expect((await store.runs.get(everyone, run.id))?.wakeAt).toBe(noon + 90)
      await store.runs.wake(owner.scope, run.id, noon)
      expect((await store.runs.get(everyone, run.id))?.wakeAt).toBe(noon)
    },
    async due({ store, stranger, owner, claimed, alert }) {
      await store.runs.sleep(owner.scope, { run: claimed.run.id, epoch: 1, position: claimed.position, records: [], wakeAt: noon, at: noon })
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
    async orphans({ store, stranger, owner, alert }) {
      expect(await store.runs.orphans(stranger.scope, 9)).toEqual([])
      expect((await store.runs.orphans(owner.scope, 9)).map(({ uuid: id }) => id)).toContain(alert.uuid)
    },
    async settle({ store, stranger }) {
      expect(await store.runs.settle(stranger.scope, 9)).toBe(0)
    },
  },
  journal: {
    async append({ store, stranger, owner, claimed }) {
      const { run, position } = claimed
      expect(await attempt(store.journal.append(stranger.scope, run.id, entryAt(position, 1)))).not.toBe('appended')
      expect(await store.journal.read(everyone, run.id)).toHaveLength(1)
      expect(await store.journal.append(owner.scope, run.id, entryAt(position, 1))).toBe('appended')
    },
    async read({ store, stranger, owner, claimed }) {
      expect(await store.journal.read(stranger.scope, claimed.run.id)).toEqual([])
      expect(await store.journal.read(owner.scope, claimed.run.id)).toHaveLength(1)
    },
    async putOutput({ store, stranger, claimed }) {
      await attempt(store.journal.putOutput(stranger.scope, claimed.run.id, 'b', '2'))
      expect(await store.journal.getOutput(everyone, claimed.run.id, 'b')).toBeNull()
    },
    async getOutput({ store, stranger, owner, claimed }) {
      expect(await store.journal.getOutput(stranger.scope, claimed.run.id, 'a')).toBeNull()
      expect(await store.journal.getOutput(owner.scope, claimed.run.id, 'a')).toBe('1')
    },
  },
  cases: {
    async byCaseId({ store, stranger, owner, claimed }) {
      expect(await store.cases.byCaseId(stranger.scope, claimed.run.caseId)).toBeNull()
      expect(await store.cases.byCaseId(owner.scope, claimed.run.caseId)).toMatchObject({ uuid: claimed.run.case })
    },
    async get({ store, stranger, owner, claimed }) {
      expect(await store.cases.get(stranger.scope, claimed.run.case)).toBeNull()
      expect(await store.cases.get(owner.scope, claimed.run.case)).toMatchObject({ uuid: claimed.run.case })
    },
    async list({ store, stranger, owner }) {
      for (const parts of [{}, { organizations: [owner.id] }])
        expect(await store.cases.list(stranger.scope, { after: null, limit: 9, ...parts })).toEqual(nothing)
      expect((await store.cases.list(owner.scope, { after: null, limit: 9 })).items).toHaveLength(2)
    },
    async timeline({ store, stranger, owner, claimed }) {
      expect(await store.cases.timeline(stranger.scope, claimed.run.case)).toEqual([])
      expect(await store.cases.timeline(owner.scope, claimed.run.case)).toHaveLength(1)
    },
    async record({ store, stranger, claimed }) {
      const before = await store.cases.get(everyone, claimed.run.case)
      for (const change of [null, { title: 'mine now' }])
        expect(await store.cases.record(stranger.scope, claimed.run.case, change, noteOf('stranger'))).toBeNull()
      expect(await store.cases.get(everyone, claimed.run.case)).toEqual(before)
      expect(await store.cases.timeline(everyone, claimed.run.case)).toHaveLength(1)
    },
  },
  decisions: {
    async open({ store, stranger, owner }) {
      const decision = newDecision(owner)
      await attempt(store.decisions.open(stranger.scope, decision))
      expect(await store.decisions.get(everyone, decision.id)).toBeNull()
    },
    async get({ store, stranger, owner, decision }) {
      expect(await store.decisions.get(stranger.scope, decision.id)).toBeNull()
      expect(await store.decisions.get(owner.scope, decision.id)).toEqual(decision)
    },
    async list({ store, stranger, owner, decision }) {
      for (const parts of [{}, { organizations: [owner.id] }, { runs: [decision.run] }])
        expect(await store.decisions.list(stranger.scope, { after: null, limit: 9, ...parts })).toEqual(nothing)
      expect(await store.decisions.list(owner.scope, { after: null, limit: 9 })).toEqual({ items: [decision], more: false })
    },
    async revise({ store, stranger, decision }) {
      expect(await attempt(store.decisions.revise(stranger.scope, closedAs(decision, 'withdrawn', noon)))).not.toBe('revised')
      expect(await store.decisions.get(everyone, decision.id)).toEqual(decision)
    },
    async untold({ store, stranger, owner, decision }) {
      const closed = closedAs(decision, 'withdrawn', noon)
      await store.decisions.revise(owner.scope, closed)
      expect(await store.decisions.untold(stranger.scope, 9)).toEqual([])
      expect(await store.decisions.untold(owner.scope, 9)).toEqual([closed])
    },
    async told({ store, stranger, owner, decision }) {
      await store.decisions.revise(owner.scope, closedAs(decision, 'withdrawn', noon))
      await attempt(store.decisions.told(stranger.scope, decision.id))
      expect(await store.decisions.untold(owner.scope, 9)).toHaveLength(1)
    },
    async left({ store, stranger, owner }) {
      const { claimed } = await ended(store, owner)
      const left = await store.decisions.open(owner.scope, newDecision(owner, { run: claimed.run.id }))
      expect(await store.decisions.left(stranger.scope, 9)).toEqual([])
      expect(await store.decisions.left(owner.scope, 9)).toEqual([left])
    },
  },
  // Facts of the installation, the same for all.
  settings: {
    async settle({ store, stranger, owner }) {
      const name = uuid()
      expect(await store.settings.settle(owner.scope, name, 'first')).toBe('first')
      expect(await store.settings.settle(stranger.scope, name, 'second')).toBe('first')
    },
  },
}

/** What lies outside a scope is not found, not listed, not changed: every method of the port, tried by a stranger who knows every id. */
export function scopeCases(at: At): void {
  test.each(
    Object.entries(cases).flatMap(([aggregate, methods]) =>
      Object.entries(methods).map(([method, run]: [string, (world: World) => Promise<void>]) => ({ name: `${aggregate}.${method}`, run })),
    ),
  )('$name', async ({ run }) => {
    await run(await makeWorld(at().store))
  })

  test('a scope of no organization at all finds nothing', async () => {
    const { store, alert, claimed } = await makeWorld(at().store)
    const nobody = { organizations: [] }
    expect(await store.alerts.get(nobody, [alert.uuid])).toEqual([])
    expect(await store.alerts.list(nobody, { sort: 'created_at', after: null, limit: 9, preview: 9 })).toEqual(nothing)
    expect(await store.cases.list(nobody, { after: null, limit: 9 })).toEqual(nothing)
    expect(await store.runs.get(nobody, claimed.run.id)).toBeNull()
    expect(await store.organizations.list(nobody, { after: null, limit: 9 })).toEqual(nothing)
  })
}
