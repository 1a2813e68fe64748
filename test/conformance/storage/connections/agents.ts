import { expect, test } from 'vitest'
import type { AgentId, OrganizationId, PrincipalId, RemoteAgent } from '../../../../runtime/domain/index.ts'
import { everyone, newTenant, noon, numbersTo, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'

/** An agent that may enrol until an hour after noon. */
export function newAgent(organization: OrganizationId | null, parts: Partial<RemoteAgent> = {}): RemoteAgent {
  return {
    id: uuid<AgentId>(),
    organization,
    name: 'plant',
    enrolment: { hash: uuid(), expiresAt: noon + 3_600_000 },
    publicKey: null,
    enrolledAt: null,
    createdAt: noon,
    createdBy: uuid<PrincipalId>(),
    revokedAt: null,
    lastSeen: null,
    ...parts,
  }
}

export function agentCases(at: At): void {
  const created = async (parts: Partial<RemoteAgent> = {}, organization: OrganizationId | null = newTenant().id): Promise<RemoteAgent> => {
    const agent = newAgent(organization, parts)
    await at().store.agents.create(everyone, agent)
    return agent
  }

  test('an agent is found by id, as it was created, also after a restart', async () => {
    const agent = await created()
    const operators = await created({}, null)
    expect(await at().store.agents.byId(everyone, [agent.id, uuid<AgentId>()])).toEqual([agent])
    await at().reopen()
    expect(await at().store.agents.byId(everyone, [operators.id])).toEqual([operators])
  })

  test('a token enrols one agent, once: the key is stored, and the token is forgotten', async () => {
    const { agents } = at().store
    const agent = await created()
    const [hash, key] = [agent.enrolment!.hash, uuid()]
    const enrolled = { ...agent, enrolment: null, publicKey: key, enrolledAt: noon + 5 }
    expect(await agents.enrol(everyone, hash, key, noon + 5)).toEqual(enrolled)
    expect(await agents.enrol(everyone, hash, key, noon + 5)).toBeNull()
    expect(await agents.enrol(everyone, hash, uuid(), noon + 5)).toBeNull()
    expect(await agents.byKey(everyone, key)).toEqual(enrolled)
    expect(await agents.byKey(everyone, uuid())).toBeNull()
  })

  test('an agent is found by its token as long as that would enrol it', async () => {
    const { agents } = at().store
    const [agent, enrolled, revoked] = [await created(), await created(), await created()]
    expect(await agents.byToken(everyone, agent.enrolment!.hash, noon)).toEqual(agent)
    expect(await agents.byToken(everyone, agent.enrolment!.hash, agent.enrolment!.expiresAt)).toBeNull()
    expect(await agents.byToken(everyone, uuid(), noon)).toBeNull()
    await agents.enrol(everyone, enrolled.enrolment!.hash, uuid(), noon)
    expect(await agents.byToken(everyone, enrolled.enrolment!.hash, noon)).toBeNull()
    await agents.revoke(everyone, revoked.id, noon)
    expect(await agents.byToken(everyone, revoked.enrolment!.hash, noon)).toBeNull()
  })

  test('of many callers with one token, one enrols', async () => {
    const { store } = at()
    const stores = [store, (await at().second()) ?? store]
    const agent = await created()
    const results = await Promise.all(numbersTo(12).map((n) => stores[n % 2]!.agents.enrol(everyone, agent.enrolment!.hash, uuid(), noon)))
    const winners = results.filter((one) => one !== null)
    expect(winners).toHaveLength(1)
    expect(await store.agents.byId(everyone, [agent.id])).toEqual(winners)
  })

  test('no agent enrols with a token that is unknown, expired or of a revoked agent, or with a key that another agent has', async () => {
    const { agents } = at().store
    const [expired, revoked, other, first] = [await created(), await created(), await created(), await created()]
    expect(await agents.enrol(everyone, uuid(), uuid(), noon)).toBeNull()
    expect(await agents.enrol(everyone, expired.enrolment!.hash, uuid(), noon + 3_600_000)).toBeNull()
    await agents.revoke(everyone, revoked.id, noon)
    expect(await agents.enrol(everyone, revoked.enrolment!.hash, uuid(), noon)).toBeNull()
    const key = uuid()
    await agents.enrol(everyone, first.enrolment!.hash, key, noon)
    expect(await agents.enrol(everyone, other.enrolment!.hash, key, noon)).toBeNull()
    expect(await agents.byId(everyone, [expired.id, other.id])).toEqual(expect.arrayContaining([expired, other]))
  })

  test('a revoked agent keeps its key and the time of its first revocation, and loses its token', async () => {
    const { agents } = at().store
    const agent = await created()
    const revoked = { ...agent, enrolment: null, revokedAt: noon + 7 }
    expect(await agents.revoke(everyone, agent.id, noon + 7)).toEqual(revoked)
    expect(await agents.revoke(everyone, agent.id, noon + 9)).toEqual(revoked)
    expect(await agents.revoke(everyone, uuid<AgentId>(), noon)).toBeNull()
    const enrolled = await created({ publicKey: uuid(), enrolment: null, enrolledAt: noon })
    await agents.revoke(everyone, enrolled.id, noon + 7)
    expect(await agents.byKey(everyone, enrolled.publicKey!)).toEqual({ ...enrolled, revokedAt: noon + 7 })
  })

  test('it is noted when an agent was here, and with which version', async () => {
    const { agents } = at().store
    const agent = await created()
    const lastSeen = { at: noon + 3, version: '1.2.3' }
    await agents.noteSeen(everyone, agent.id, lastSeen)
    await agents.noteSeen(everyone, uuid<AgentId>(), lastSeen)
    expect(await agents.byId(everyone, [agent.id])).toEqual([{ ...agent, lastSeen }])
  })

  test('agents are listed newest first, in pages, and those of an owner that are not revoked are counted', async () => {
    const { agents } = at().store
    const tenant = newTenant()
    const all = []
    for (const _ of numbersTo(5)) all.push(await created({}, tenant.id))
    await agents.revoke(everyone, all[0]!.id, noon)
    const ids: AgentId[] = []
    for (let after: AgentId | null = null; ; ) {
      const page = await agents.list(tenant.scope, { after, limit: 2 })
      ids.push(...page.items.map(({ id }) => id))
      after = page.items.at(-1)?.id ?? null
      if (!page.more) break
    }
    expect(ids).toEqual(all.map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1)))
    expect(await agents.count(tenant.scope, tenant.id)).toBe(4)
    const operators = await agents.count(everyone, null)
    await created({}, null)
    expect(await agents.count(everyone, null)).toBe(operators + 1)
  })
}
