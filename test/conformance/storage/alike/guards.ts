import { asId, type ConnectionId, type Pause, type PauseTarget } from '../../../../runtime/domain/index.ts'
import type { QuotaCall } from '../../../../runtime/storage/index.ts'
import { actOf, newPause } from '../guards/pauses.ts'
import { newPolicy } from '../guards/policies.ts'
import { quotaCall } from '../guards/quotas.ts'
import type { Stage } from './stage.ts'

const skills = ['a.b', 'c.d']
const hour = 3_600_000

/** Random acts on pauses, policies and quotas, and questions about them. */
export class GuardActs {
  readonly #stage: Stage
  #pauses: readonly Pause[] = []

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async act(): Promise<void> {
    await this.#stage.dice.one([
      () => this.#begin(),
      () => this.#end(),
      () => this.#ask(),
      () => this.#policy(),
      () => this.#quota(),
      () => this.#quota(),
    ])()
  }

  async #begin(): Promise<void> {
    const { dice, both } = this.#stage
    const tenant = this.#stage.tenant()
    const owner = dice.one([null, { organization: tenant.id, code: tenant.code }])
    const connection = asId<ConnectionId>('0197a000-0000-7000-8000-00000000c0c0')
    const target = dice.one<PauseTarget | null>([
      null,
      { kind: 'everything' },
      { kind: 'playbook', playbook: dice.one(['one', 'two']), owner },
      { kind: 'connection', connection, instance: 'prod', owner },
    ])
    const pause = newPause(tenant, target, this.#stage.later())
    const scope = this.#stage.scope()
    const begun = await both.alikeOrRefused({ begin: pause, scope }, ({ pauses }) => pauses.begin(scope, pause))
    if (begun === null) return
    this.#pauses = [...this.#pauses.filter(({ id }) => id !== begun.id), begun]
  }

  async #end(): Promise<void> {
    if (this.#pauses.length === 0) return
    const { id } = this.#stage.dice.one(this.#pauses)
    const act = actOf('bob', this.#stage.later())
    const scope = this.#stage.scope()
    await this.#stage.both.alikeOrRefused({ end: id, scope }, ({ pauses }) => pauses.end(scope, id, act))
  }

  async #ask(): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    const last = this.#pauses.length > 0 ? dice.one(this.#pauses) : null
    const query = {
      ...this.#stage.maybe('standing', dice.roll(2) === 0),
      after: last && this.#stage.seldom() ? { pausedAt: last.paused.at, id: last.id } : null,
      limit: 1 + dice.roll(5),
    }
    await both.alike({ pauses: query, scope }, ({ pauses }) => pauses.list(scope, query))
    await both.alike({ standing: scope }, ({ pauses }) => pauses.standing(scope))
    if (last) await both.alike({ pause: last.id, scope }, ({ pauses }) => pauses.get(scope, last.id))
  }

  async #policy(): Promise<void> {
    const { dice, both } = this.#stage
    const tenant = this.#stage.tenant()
    const scope = this.#stage.scope()
    const standing = await both.alike({ policy: tenant.id, scope }, ({ policies }) => policies.get(scope, tenant.id))
    const next = newPolicy(tenant, this.#stage.next(standing?.revision ?? 0))
    const revision = dice.roll(4)
    await both.alikeOrRefused({ set: next, scope }, ({ policies }) => policies.set(scope, next))
    await both.alike({ history: tenant.id, scope }, ({ policies }) => policies.history(scope, tenant.id, 1 + revision))
    await both.alike({ revision, scope }, ({ policies }) => policies.revision(scope, tenant.id, revision))
    await both.alike({ all: scope }, ({ policies }) => policies.all(scope))
  }

  async #quota(): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    const call: QuotaCall = quotaCall(dice.one([null, this.#stage.tenant()]), {
      skill: dice.one(skills),
      key: dice.one(['$k', 'l', 'm', 'n']),
      quota: { calls: dice.roll(4), per: dice.one([hour, 3 * hour]) },
      anyway: this.#stage.seldom(),
    })
    if (this.#stage.seldom()) await both.pass(2 * hour)
    await both.alikeOrRefused({ call, scope }, async ({ quotas }) => {
      const { since, ...counted } = await quotas.count(scope, call)
      return { ...counted, since: since !== null }
    })
    const spans = skills.map((skill) => ({ skill, per: hour }))
    await both.alike({ usage: call.organization, scope }, async ({ quotas }) =>
      (await quotas.usage(scope, call.organization, spans)).map(({ calls, since }) => ({ calls, since: since !== null })),
    )
  }
}
