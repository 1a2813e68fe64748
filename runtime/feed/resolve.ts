import { boundedCache } from '../caches/index.ts'
import { type AlertUuid, alertIn, type OrganizationId, systemScope } from '../domain/index.ts'
import type { AlertNames, Store } from '../storage/index.ts'
import type { Change } from './change.ts'
import type { Touch } from './touch.ts'

/** How many alerts are remembered, so that the next change of the same run needs no read. */
const maxRemembered = 10_000

type Read = Pick<Store, 'alerts' | 'organizations' | 'agents' | 'connections' | 'webhooks' | 'fetches' | 'principals'>

/** Finds out whom touched objects belong to, and their ids in the API. */
export class Resolver {
  readonly #store: Read
  readonly #alerts = boundedCache<AlertUuid, AlertNames>(maxRemembered)
  readonly #codes = boundedCache<OrganizationId, string>(maxRemembered)

  constructor(store: Read) {
    this.#store = store
  }

  /** Leaves out what no longer exists. @throws TocsinError `store_unavailable` */
  async changes(touches: readonly Touch[]): Promise<readonly Change[]> {
    await Promise.all([this.#readAlerts(touches), this.#readCodes(touches)])
    const changes = await Promise.all(touches.map((touch) => this.#change(touch)))
    return changes.filter((change) => change !== null)
  }

  async #readAlerts(touches: readonly Touch[]): Promise<void> {
    const wanted = new Set<AlertUuid>()
    for (const touch of touches) {
      if (touch.kind !== 'alert' && touch.kind !== 'run' && touch.kind !== 'caseOf') continue
      const uuid = touch.kind === 'run' ? alertIn(touch.run) : touch.alert
      const remembered = this.#alerts.get(uuid)
      // An alert gets its case later. Everything else about it stays the same.
      if (!remembered || (touch.kind === 'caseOf' && remembered.caseId === null)) wanted.add(uuid)
    }
    if (wanted.size === 0) return
    for (const names of await this.#store.alerts.names(systemScope, [...wanted])) this.#alerts.set(names.uuid, names)
  }

  async #readCodes(touches: readonly Touch[]): Promise<void> {
    const wanted = touches.flatMap((touch) => (touch.kind === 'policy' && !this.#codes.has(touch.organization) ? [touch.organization] : []))
    if (wanted.length === 0) return
    for (const { id, code } of await this.#store.organizations.byId(systemScope, [...new Set(wanted)])) this.#codes.set(id, code)
  }

  async #change(touch: Touch): Promise<Change | null> {
    const { agents, connections, webhooks, fetches, principals } = this.#store
    switch (touch.kind) {
      case 'known':
        return touch.change
      case 'alert': {
        const alert = this.#alerts.get(touch.alert)
        return alert ? { object: 'alert', id: alert.alertId, change: touch.change, of: [alert.organization] } : null
      }
      case 'run': {
        const alert = this.#alerts.get(alertIn(touch.run))
        return alert ? { object: 'run', id: touch.run, change: touch.change, of: [alert.organization] } : null
      }
      case 'caseOf': {
        const alert = this.#alerts.get(touch.alert)
        return alert?.caseId ? { object: 'case', id: alert.caseId, change: touch.change, of: [alert.organization] } : null
      }
      case 'policy': {
        const code = this.#codes.get(touch.organization)
        return code === undefined ? null : { object: 'policy', id: code, change: 'changed', of: [touch.organization] }
      }
      case 'connection': {
        const [found] = await connections.byId(systemScope, [touch.connection])
        return found
          ? { object: 'connection', id: found.id, change: 'changed', of: found.organization === null ? 'shared' : [found.organization] }
          : null
      }
      case 'agent': {
        const [found] = await agents.byId(systemScope, [touch.agent])
        return found
          ? { object: 'agent', id: found.id, change: 'changed', of: found.organization === null ? 'operators' : [found.organization] }
          : null
      }
      case 'webhook': {
        const found = await webhooks.get(systemScope, touch.webhook)
        return found
          ? { object: 'webhook', id: found.id, change: 'changed', of: found.organization === null ? 'operators' : [found.organization] }
          : null
      }
      case 'fetch': {
        const found = await fetches.get(systemScope, touch.fetch)
        return found && { object: 'fetch', id: touch.fetch, change: 'changed', of: [found.fetch.organization] }
      }
      case 'key': {
        const found = await principals.keyById(systemScope, touch.key)
        if (!found) return null
        const { organizations } = found.principal
        return { object: 'key', id: touch.key, change: touch.change, of: organizations === 'all' ? 'operators' : organizations }
      }
    }
  }
}
