/**
 * Checks that no part of the store shows one organization what belongs to another.
 * The folder has more than 20 files because it has one for each part of the port.
 */
import { expect, test } from 'vitest'
import type { At } from '../harness.ts'
import { acts } from './acts.ts'
import { agents } from './agents.ts'
import { alerts } from './alerts.ts'
import { artifacts } from './artifacts.ts'
import { cases } from './cases.ts'
import { connections } from './connections.ts'
import { decisions } from './decisions.ts'
import { deliveries } from './deliveries.ts'
import { fetches } from './fetches.ts'
import { journal } from './journal.ts'
import { organizations } from './organizations.ts'
import { outbox } from './outbox.ts'
import { pauses } from './pauses.ts'
import { policies } from './policies.ts'
import { principals } from './principals.ts'
import { providers } from './providers.ts'
import { quotas } from './quotas.ts'
import { runs } from './runs.ts'
import { sessions } from './sessions.ts'
import { settings } from './settings.ts'
import { statistics } from './statistics.ts'
import { tokens } from './tokens.ts'
import { webhooks } from './webhooks.ts'
import { type Aggregates, makeWorld, nothing, type ScopeCases, type World } from './world.ts'

/** The cases of each aggregate of the port. The compiler says if an aggregate is missing. */
const byAggregate: { readonly [A in keyof Aggregates]: ScopeCases<A> } = {
  organizations,
  policies,
  quotas,
  providers,
  principals,
  acts,
  agents,
  connections,
  tokens,
  artifacts,
  alerts,
  sessions,
  runs,
  journal,
  cases,
  decisions,
  pauses,
  fetches,
  settings,
  webhooks,
  outbox,
  deliveries,
  statistics,
}

/**
 * Calls every method of the port as a stranger who knows every id. Nothing outside the scope may be found,
 * listed or changed.
 */
export function scopeCases(at: At): void {
  test.each(
    Object.entries(byAggregate).flatMap(([aggregate, methods]) =>
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
