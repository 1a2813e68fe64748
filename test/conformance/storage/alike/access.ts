import type { Act, ActId, ApiKey, Principal, PrincipalId, RemoteAgent } from '../../../../runtime/domain/index.ts'
import type { ActPage } from '../../../../runtime/storage/index.ts'
import { newAct } from '../access/acts.ts'
import { keyOf } from '../access/principals.ts'
import { newAgent } from '../connections/agents.ts'
import { newPrincipal, noon, organizationOf, uuid } from '../fixtures.ts'
import type { Stage } from './stage.ts'

const names = ['ada', 'Ada', '$bob', 'ada.b', '']
const actions = ['createKey', 'deleteKey']

/** Random acts on principals, their keys, remote agents and the audit log, and questions about them. */
export class AccessActs {
  readonly #stage: Stage
  #principals: readonly Principal[] = []
  #keys: readonly ApiKey[] = []
  #agents: readonly RemoteAgent[] = []

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async act(): Promise<void> {
    await this.#stage.dice.one([
      () => this.#principal(),
      () => this.#key(),
      () => this.#changeKey(),
      () => this.#askKeys(),
      () => this.#audit(),
      () => this.#audit(),
      () => this.#askAudit(),
      () => this.#agent(),
      () => this.#agent(),
      () => this.#organization(),
      () => this.#setting(),
    ])()
  }

  #organizations(): Principal['organizations'] {
    return this.#stage.seldom() ? 'all' : this.#stage.some(this.#stage.tenants.map(({ id }) => id))
  }

  async #principal(): Promise<void> {
    const fresh = { ...newPrincipal(this.#organizations()), name: this.#stage.dice.one(names) }
    const again = this.#principals.length > 0 && this.#stage.seldom()
    const principal = again ? { ...fresh, id: this.#stage.dice.one(this.#principals).id } : fresh
    const scope = this.#stage.scope()
    const made = await this.#stage.both.alikeOrRefused({ principal, scope }, async ({ principals }) => {
      await principals.create(scope, principal)
      return true
    })
    if (made && !again) this.#principals = [...this.#principals, principal]
    const ids = this.#stage.some(this.#principals).map(({ id }) => id)
    await this.#stage.both.alike({ principals: ids, scope }, async ({ principals }) => byId(await principals.byId(scope, ids)))
  }

  async #key(): Promise<void> {
    if (this.#principals.length === 0) return
    const { dice, both } = this.#stage
    const of = this.#stage.often() ? dice.one(this.#principals) : newPrincipal('all')
    const hash = this.#keys.length > 0 && this.#stage.seldom() ? dice.one(this.#keys).hash : uuid()
    const key: ApiKey = { ...keyOf(of, hash), expiresAt: dice.one([null, this.#stage.time()]) }
    const scope = this.#stage.scope()
    const result = await both.alikeOrRefused({ key, scope }, ({ principals }) => principals.addKey(scope, key))
    if (result === 'added') this.#keys = [...this.#keys, key]
  }

  async #changeKey(): Promise<void> {
    if (this.#keys.length === 0) return
    const { dice, both } = this.#stage
    const { id } = dice.one(this.#keys)
    const at = this.#stage.time()
    const scope = this.#stage.scope()
    if (this.#stage.seldom()) await both.alike({ revoke: id, at, scope }, ({ principals }) => principals.revokeKey(scope, id, at))
    else await both.alike({ use: id, at, scope }, ({ principals }) => principals.noteKeyUse(scope, id, at))
  }

  async #askKeys(): Promise<void> {
    const { dice, both } = this.#stage
    if (this.#keys.length === 0) return
    const { id, hash } = dice.one(this.#keys)
    const scope = this.#stage.scope()
    const page = { after: dice.one([null, id]), limit: 1 + dice.roll(5) }
    const organizations = this.#organizations()
    const at = this.#stage.time()
    await both.alike({ hash, scope }, ({ principals }) => principals.keyByHash(scope, hash))
    await both.alike({ key: id, scope }, ({ principals }) => principals.keyById(scope, id))
    await both.alike({ keys: page, scope }, ({ principals }) => principals.listKeys(scope, page))
    await both.alike({ mostKeys: organizations, at, scope }, ({ principals }) => principals.mostKeys(scope, organizations, at))
  }

  async #audit(): Promise<void> {
    const { dice, both } = this.#stage
    const on = { connection: dice.one(names), targets: this.#stage.some(names), deep: { a: [dice.one(names)] } }
    const principal = dice.one(this.#principals)?.id ?? uuid<PrincipalId>()
    const act: Act = newAct({ principal, by: dice.one(names), action: dice.one(actions), at: this.#stage.later(), on })
    const scope = this.#stage.scope()
    await both.alikeOrRefused({ act, scope }, ({ acts }) => acts.add(scope, act))
    if (this.#stage.seldom()) await both.alikeOrRefused({ act, scope }, ({ acts }) => acts.add(scope, act))
  }

  async #askAudit(): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    const stage = this.#stage
    const filter = {
      ...stage.maybe('by', dice.one([...names, ...this.#principals.map(({ id }) => id)])),
      ...stage.maybe('action', dice.one(actions)),
      ...stage.maybe('about', dice.one(names)),
      ...stage.maybe('from', stage.time()),
      ...stage.maybe('before', stage.time()),
    }
    let after: ActPage['after'] = stage.seldom() ? { at: stage.time(), id: uuid<ActId>() } : null
    for (let page = 0; page < 3; page += 1) {
      const query: ActPage = { ...filter, after, limit: 1 + dice.roll(5) }
      const { items, more } = await both.alike({ acts: query, scope }, ({ acts }) => acts.list(scope, query))
      const last = items.at(-1)
      if (!last || !more) break
      after = { at: last.at, id: last.id }
    }
  }

  async #agent(): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    if (this.#agents.length === 0 || this.#stage.seldom()) {
      const agent = newAgent(this.#stage.owner(), { enrolment: { hash: uuid(), expiresAt: noon + 3 } })
      const made = await both.alikeOrRefused({ agent, scope }, async ({ agents }) => {
        await agents.create(scope, agent)
        return true
      })
      if (made) this.#agents = [...this.#agents, agent]
      return
    }
    const { id, enrolment } = dice.one(this.#agents)
    const hash = enrolment?.hash ?? ''
    const key = dice.one(['k1', 'k2', 'k3', 'k4'])
    const at = noon + dice.roll(6)
    const owner = this.#stage.owner()
    const page = { after: dice.one([null, id]), limit: 1 + dice.roll(4) }
    const seen = { at, version: '1.$2' }
    await dice.one([
      () => both.alike({ enrol: hash, key, at, scope }, ({ agents }) => agents.enrol(scope, hash, key, at)),
      () => both.alike({ enrol: hash, key, at, scope }, ({ agents }) => agents.enrol(scope, hash, key, at)),
      () => both.alike({ byToken: hash, at, scope }, ({ agents }) => agents.byToken(scope, hash, at)),
      () => both.alike({ revoke: id, at, scope }, ({ agents }) => agents.revoke(scope, id, at)),
      () => both.alike({ seen: id, at, scope }, ({ agents }) => agents.noteSeen(scope, id, seen)),
    ])()
    await both.alike({ byKey: key, scope }, ({ agents }) => agents.byKey(scope, key))
    await both.alike({ agents: page, scope }, ({ agents }) => agents.list(scope, page))
    await both.alike({ count: owner, scope }, ({ agents }) => agents.count(scope, owner))
    await both.alike({ byId: id, scope }, ({ agents }) => agents.byId(scope, [id]))
  }

  async #organization(): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    const tenant = this.#stage.tenant()
    const code = dice.one([tenant.code, tenant.code.toLowerCase(), dice.one(['ACME', 'acme', 'Acme2', 'B-1', 'b_2'])])
    const organization = { ...organizationOf(tenant), id: dice.one([tenant.id, uuid<never>()]), code }
    const provider = { code: dice.one(['EDR', 'edr', 'Mail', 'a.b']), name: '$x', createdAt: noon, createdBy: uuid<PrincipalId>() }
    const page = { after: dice.one([null, code.toLowerCase()]), limit: 1 + dice.roll(4) }
    const codes = this.#stage.some(['ACME', 'acme', 'edr', 'EDR', tenant.code])
    await both.alikeOrRefused({ organization, scope }, ({ organizations }) => organizations.create(scope, organization))
    await both.alikeOrRefused({ provider, scope }, ({ providers }) => providers.create(scope, provider))
    await both.alike({ organizations: page, scope }, ({ organizations }) => organizations.list(scope, page))
    await both.alike({ providers: page, scope }, ({ providers }) => providers.list(scope, page))
    await both.alike({ codes, scope }, async ({ organizations }) => byId(await organizations.byCode(scope, codes)))
    await both.alike({ codes, scope }, async ({ providers }) => (await providers.byCode(scope, codes)).toSorted((a, b) => (a.code < b.code ? -1 : 1)))
  }

  async #setting(): Promise<void> {
    const { dice, both } = this.#stage
    const [name, from, to] = [dice.one(['a', 'b.$c']), dice.one(['1', '2']), dice.one(['1', '2', ''])]
    const scope = this.#stage.scope()
    await both.alike({ settle: name, to, scope }, ({ settings }) => settings.settle(scope, name, to))
    await both.alike({ replace: name, from, to, scope }, ({ settings }) => settings.replace(scope, name, from, to))
  }
}

function byId<T extends { readonly id: string }>(things: readonly T[]): readonly T[] {
  return things.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
