import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { asId, type Connection, type ConnectionId, type OrganizationId } from '../../domain/index.ts'
import { NamedHints } from '../../hints/index.ts'
import type { Store } from '../../storage/index.ts'
import { CurrentConnections, changedConnection } from './current-connections.ts'

const acme = asId<OrganizationId>('acme')
const globex = asId<OrganizationId>('globex')
const id = asId<ConnectionId>('c')

/** A store with one connection in each organization, and the connections of a process over it. */
function world() {
  const clock = new ManualClock()
  const changes = new NamedHints(null, clock)
  const stored = { revision: 1, reads: 0, removed: false }
  const forOrganization = async (_scope: unknown, organization: OrganizationId): Promise<readonly Connection[]> => {
    stored.reads += 1
    return stored.removed ? [] : [{ id, organization, revision: stored.revision } as Connection]
  }
  const connections = new CurrentConnections({ connections: { forOrganization } } as unknown as Store, clock, changes)
  return { clock, changes, stored, connections }
}

test('a pinned revision is never answered with an older one', async () => {
  const { stored, connections } = world()
  expect(await connections.pinned(acme, { id, revision: 1 })).toMatchObject({ revision: 1 })
  stored.revision = 2
  expect(await connections.pinned(acme, { id, revision: 2 })).toMatchObject({ revision: 2 })
  expect(await connections.of(acme)).toMatchObject([{ revision: 2 }])
})

test('many calls of a second share one read', async () => {
  const { stored, connections, clock } = world()
  await Promise.all([connections.of(acme), connections.pinned(acme, { id, revision: 1 }), connections.pinned(acme, { id, revision: 1 })])
  expect(stored.reads).toBe(1)
  clock.advance(1_000)
  await connections.of(acme)
  expect(stored.reads).toBe(2)
})

test('a change that this process is told of counts at once, for the organizations it concerns', async () => {
  const { stored, connections, changes } = world()
  for (const organization of [acme, globex]) await connections.of(organization)
  stored.revision = 2
  changes.tell(changedConnection({ organization: acme }))
  expect(await connections.of(acme)).toMatchObject([{ revision: 2 }])
  expect(await connections.of(globex)).toMatchObject([{ revision: 1 }])
  stored.revision = 3
  changes.tell(changedConnection({ organization: null }))
  for (const organization of [acme, globex]) expect(await connections.of(organization)).toMatchObject([{ revision: 3 }])
})

test('a removed connection is null', async () => {
  const { stored, connections } = world()
  stored.removed = true
  expect(await connections.pinned(acme, { id, revision: 1 })).toBeNull()
})
