import type { Alert, CaseOpening, CaseUuid, Connection, Digest, Failure, Json, RunPins } from '../domain/index.ts'
import { asId, type Clock, type Ids, organizationScope } from '../domain/index.ts'
import { isTocsinError } from '../errors/index.ts'
import { type Plan, type PlaybookLibrary, readInputs } from '../playbook/index.ts'
import type { PluginLibrary } from '../plugin/index.ts'
import { Fresh, type Store } from '../storage/index.ts'
import { bindSlots } from './bind.ts'
import { openingRoots } from './roots.ts'
import { failed } from './walk.ts'

/** All that a claim needs, decided before it: which playbook, with what, under which title. */
export interface Preparation {
  readonly pins: RunPins
  readonly opening: CaseOpening
  /** Runs of the playbook at once in this process; null: any number. */
  readonly concurrency: number | null
  /** Why the run cannot even begin; it is claimed all the same, so that its alert ends as failed with the reason in its case. */
  readonly failure: Failure | null
}

const connectionAge = 1_000

export class Preparer {
  readonly #store: Store
  readonly #playbooks: PlaybookLibrary
  readonly #plugins: PluginLibrary
  readonly #ids: Ids
  readonly #connections: Fresh<readonly Connection[]>

  constructor(store: Store, playbooks: PlaybookLibrary, plugins: PluginLibrary, clock: Clock, ids: Ids) {
    this.#store = store
    this.#playbooks = playbooks
    this.#plugins = plugins
    this.#ids = ids
    this.#connections = new Fresh(clock, connectionAge, 10_000)
  }

  /** @throws the store's error */
  async prepare(alert: Alert): Promise<Preparation> {
    let plan: Plan
    try {
      plan = await this.#playbooks.resolve(alert)
    } catch (error) {
      if (!isTocsinError(error) || error.entry.status >= 500) throw error
      const why = [error.message, ...error.places.map(({ field, message }) => `${field}: ${message}`)].join('; ')
      const pins = { playbook: { name: 'none', digest: asId<Digest>('') }, plugins: {}, connections: {} }
      return { pins, opening: this.#opening(alert.name, 'unassigned'), concurrency: null, failure: failed(error.code, why, null) }
    }
    const { organization } = alert
    const scope = organizationScope(organization)
    const connections = await this.#connections.get(organization, () => this.#store.connections.forOrganization(scope, organization))
    const binding = bindSlots(plan, connections)
    const plugins = await this.#plugins.active()
    const used = [...new Set(Object.values(plan.slots).map(({ integration }) => integration))]
    const pins: RunPins = {
      playbook: { name: plan.name, digest: plan.digest },
      plugins: Object.fromEntries(used.flatMap((id) => (plugins.has(id) ? [[id, plugins.get(id)!.digest]] : []))),
      connections: binding.connections,
    }
    const [missing] = binding.missing
    const failure = missing ? failed('connection_missing', missing.why, null) : null
    const opening = this.#opening(titleOf(plan, alert), plan.case.severity)
    return { pins, opening, concurrency: plan.limits.concurrency, failure }
  }

  #opening(title: string, severity: CaseOpening['severity']): CaseOpening {
    return { uuid: asId<CaseUuid>(this.#ids.uuid()), title, severity, join: null }
  }
}

/** The playbook's title where it can be rendered, else the alert's name: a case is opened in any event. */
function titleOf(plan: Plan, alert: Alert): string {
  if (!plan.case.title) return alert.name
  try {
    const title: Json | undefined = plan.case.title.render(openingRoots(alert, readInputs(plan, alert.content)))
    return typeof title === 'string' && title.trim() !== '' ? title.slice(0, 500) : alert.name
  } catch (error) {
    if (isTocsinError(error)) return alert.name
    throw error
  }
}
