import type { Connection, ConnectionRevision } from '../../../../runtime/domain/index.ts'
import { newConnection, testResult } from '../connections/connections.ts'
import { tokenOf, tokenRefusal } from '../connections/tokens.ts'
import type { Stage } from './stage.ts'

const instances = ['prod', 'Prod', 'test']
const integrations = ['mailsec', 'mfa']
const holders = ['a', 'b']
const hour = 3_600_000

/** Random acts on connections and their access tokens, and questions about them. */
export class ConnectionActs {
  readonly #stage: Stage
  #known: readonly Connection[] = []

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async act(): Promise<void> {
    const { dice } = this.#stage
    if (this.#known.length === 0 || dice.roll(5) === 0) return this.#create()
    await dice.one([() => this.#revise(), () => this.#note(), () => this.#remove(), () => this.#token(), () => this.#token(), () => this.#ask()])()
  }

  #made(): Connection {
    const { dice } = this.#stage
    return newConnection(this.#stage.owner(), {
      instance: dice.one(instances),
      integration: dice.one(integrations),
      isDefault: this.#stage.seldom(),
    })
  }

  async #create(): Promise<void> {
    const connection = this.#made()
    const scope = this.#stage.scope()
    const result = await this.#stage.both.alikeOrRefused({ create: connection, scope }, (store) => store.connections.create(scope, connection))
    if (result === 'created') this.#known = [...this.#known, connection]
  }

  async #revise(): Promise<void> {
    const standing = this.#stage.dice.one(this.#known)
    const { organization, instance, integration, isDefault } = this.#made()
    const parts = this.#stage.seldom() ? { organization, instance, integration, isDefault } : this.#stage.seldom() ? { instance, isDefault } : {}
    const next: Connection = { ...standing, ...parts, revision: this.#stage.next(standing.revision) }
    const scope = this.#stage.scope()
    const result = await this.#stage.both.alikeOrRefused({ revise: next, scope }, (store) => store.connections.revise(scope, next))
    if (result === 'revised') this.#known = this.#known.map((one) => (one.id === next.id ? next : one))
  }

  #revision(): ConnectionRevision {
    const { id, revision } = this.#stage.dice.one(this.#known)
    return { id, revision: this.#stage.often() ? revision : revision + 1 }
  }

  async #note(): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    const connection = this.#revision()
    const checked = { ...testResult, checkedAt: this.#stage.later() }
    const resealed = { ...connection, secrets: { $odd: { v: 1 as const, key: 'k2', data: String(dice.roll(9)) } } }
    if (dice.roll(2) === 0) await both.alike({ noteTest: connection, scope }, (store) => store.connections.noteTest(scope, connection, checked))
    else await both.alike({ reseal: resealed, scope }, (store) => store.connections.reseal(scope, resealed))
  }

  async #remove(): Promise<void> {
    const { id } = this.#stage.dice.one(this.#known)
    const scope = this.#stage.scope()
    await this.#stage.both.alikeOrRefused({ remove: id, scope }, (store) => store.connections.remove(scope, id))
  }

  async #token(): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    const connection = this.#revision()
    const holder = dice.one(holders)
    const lease = { seen: dice.roll(3), holder, duration: hour, anew: this.#stage.seldom() }
    const token = tokenOf(`$${dice.roll(99)}`, dice.one([null, 5]))
    const refused = dice.one([null, { refusal: tokenRefusal, duration: hour }])
    await dice.one([
      () => both.alike({ lease, connection, scope }, ({ tokens }) => tokens.lease(scope, connection, lease)),
      () => both.alike({ put: holder, connection, scope }, ({ tokens }) => tokens.put(scope, connection, holder, token)),
      () => both.alike({ release: holder, connection, refused, scope }, ({ tokens }) => tokens.release(scope, connection, holder, refused)),
      () => both.pass(2 * hour),
    ])()
    await both.alike({ token: connection, scope }, ({ tokens }) => tokens.get(scope, connection))
  }

  async #ask(): Promise<void> {
    const stage = this.#stage
    const scope = stage.scope()
    const ids = stage.some(this.#known).map(({ id }) => id)
    const query = {
      ...stage.maybe('organizations', stage.some(stage.tenants.map(({ id }) => id))),
      ...stage.maybe('integrations', stage.some(integrations)),
      after: stage.dice.one([null, stage.dice.one(this.#known).id]),
      limit: 1 + stage.dice.roll(5),
    }
    const { id } = stage.tenant()
    await stage.both.alike({ connections: query, scope }, ({ connections }) => connections.list(scope, query))
    await stage.both.alike({ ofOrganization: id, scope }, ({ connections }) => connections.forOrganization(scope, id))
    await stage.both.alike({ ids, scope }, async ({ connections }) => byId(await connections.byId(scope, ids)))
  }
}

function byId<T extends { readonly id: string }>(things: readonly T[]): readonly T[] {
  return things.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
