import {
  type Decision,
  type DecisionAnswer,
  deadlineOf,
  decisionKinds,
  decisionStates,
  type PrincipalId,
  type RunId,
  verdicts,
} from '../../../../runtime/domain/index.ts'
import type { DecisionQuery, DecisionStore } from '../../../../runtime/storage/index.ts'
import { newDecision } from '../decisions/decisions.ts'
import { noon, uuid } from '../fixtures.ts'
import type { Stage } from './stage.ts'

const skills = ['mail.purge', 'mfa.suspend', 'edr.isolate']
const mostPages = 3

/** Random acts on decisions and questions about them. */
export class DecisionActs {
  readonly #stage: Stage
  readonly #runs: () => readonly RunId[]
  #known: readonly Decision[] = []

  constructor(stage: Stage, runs: () => readonly RunId[]) {
    this.#stage = stage
    this.#runs = runs
  }

  async act(): Promise<void> {
    const { dice } = this.#stage
    if (this.#known.length === 0 || dice.roll(3) === 0) return this.#open()
    await dice.one([
      () => this.#revise(),
      () => this.#revise(),
      () => this.#told(),
      () => this.#list(),
      () => this.#byDeadline(),
      () => this.#others(),
    ])()
  }

  async #open(): Promise<void> {
    const { dice, both } = this.#stage
    const kind = dice.one(decisionKinds)
    const plain = newDecision(this.#stage.tenant())
    const fresh: Decision = {
      ...plain,
      kind,
      run: dice.one([...this.#runs(), plain.run]),
      askedAt: this.#stage.later(),
      expiresAt: dice.one([null, noon + dice.roll(9)]),
      actions: plain.actions.map((action) => ({ ...action, skill: dice.one(skills), input: { '$a.b': '\0', c: [{}] } })),
      approvers: 1 + dice.roll(2),
    }
    const decision = this.#known.length > 0 && this.#stage.seldom() ? { ...fresh, id: dice.one(this.#known).id } : fresh
    const scope = this.#stage.scope()
    const opened = await both.alikeOrRefused({ open: decision, scope }, (store) => store.decisions.open(scope, decision))
    if (opened && decision === fresh) this.#known = [...this.#known, opened]
  }

  async #revise(): Promise<void> {
    const { dice, both } = this.#stage
    const standing = dice.one(this.#known)
    const state = dice.one(decisionStates)
    const at = this.#stage.later()
    const answer: DecisionAnswer = {
      principal: uuid<PrincipalId>(),
      by: 'eve',
      verdict: dice.one(verdicts),
      reason: null,
      output: { '': [null] },
      at,
    }
    const next: Decision = {
      ...standing,
      answers: [...standing.answers, answer],
      state,
      closedAt: state === 'open' ? null : at,
      revision: this.#stage.next(standing.revision),
    }
    const scope = this.#stage.scope()
    const result = await both.alikeOrRefused({ revise: next, scope }, (store) => store.decisions.revise(scope, next))
    if (result === 'revised') this.#known = this.#known.map((one) => (one.id === next.id ? next : one))
  }

  async #told(): Promise<void> {
    const { id } = this.#stage.dice.one(this.#known)
    const scope = this.#stage.scope()
    await this.#stage.both.alikeOrRefused({ told: id, scope }, (store) => store.decisions.told(scope, id))
  }

  #conditions() {
    const stage = this.#stage
    return {
      ...stage.maybe('organizations', stage.some(stage.tenants.map(({ id }) => id))),
      ...stage.maybe('kinds', stage.some(decisionKinds)),
      ...stage.maybe('runs', stage.some(this.#known.map(({ run }) => run))),
      ...stage.maybe('quotas', stage.some(skills)),
    }
  }

  async #list(): Promise<void> {
    const stage = this.#stage
    const scope = stage.scope()
    const conditions = { ...this.#conditions(), ...stage.maybe('states', stage.some(decisionStates)) }
    let after: DecisionQuery['after'] = null
    for (let page = 0; page < mostPages; page += 1) {
      const query: DecisionQuery = { ...conditions, after, limit: 1 + stage.dice.roll(9) }
      const { items, more } = await stage.both.alike({ decisions: query, scope }, (store) => store.decisions.list(scope, query))
      const last = items.at(-1)
      if (!last || !more) break
      after = { askedAt: last.askedAt, id: last.id }
    }
  }

  async #byDeadline(): Promise<void> {
    const stage = this.#stage
    const scope = stage.scope()
    const conditions = this.#conditions()
    let after: Parameters<DecisionStore['byDeadline']>[1]['after'] = null
    for (let page = 0; page < mostPages; page += 1) {
      const query: Parameters<DecisionStore['byDeadline']>[1] = { ...conditions, after, limit: 1 + stage.dice.roll(9) }
      const { items, more } = await stage.both.alike({ byDeadline: query, scope }, (store) => store.decisions.byDeadline(scope, query))
      const last = items.at(-1)
      if (!last || !more) break
      after = { deadline: deadlineOf(last), id: last.id }
    }
  }

  async #others(): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    const limit = dice.one([3, 1000])
    const { id } = dice.one(this.#known)
    const [skill, organization] = [dice.one(skills), this.#stage.tenant().id]
    await both.alike({ decision: id, scope }, ({ decisions }) => decisions.get(scope, id))
    await both.alike({ untold: limit, scope }, ({ decisions }) => decisions.untold(scope, limit))
    await both.alike({ waiting: skill, scope }, ({ decisions }) => decisions.waiting(scope, organization, skill))
    await both.alike({ left: scope }, async ({ decisions }) => (await decisions.left(scope, 1000)).toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  }
}
