import { asId, type Decision, type DecisionAnswer, type Millis, type Principal, permissions, type RunId, systemScope } from '../../domain/index.ts'
import { DecisionService } from '../../engine/index.ts'
import type { Store } from '../../storage/index.ts'
import type { At, JumpingClock } from './jumping-clock.ts'

/** What people do about a decision. */
export type GivenDecision =
  | {
      readonly kind: 'answer'
      /** The time between the question and the answer. */
      readonly after: Millis
      /** When the recorded run went on with the answer. Null: it did not. Absent: no recorded run has asked. */
      readonly heard?: At | null
      readonly verdict: DecisionAnswer['verdict']
      /** The names of those who give this answer, in order. Empty: as many people as the decision needs. */
      readonly by: readonly string[]
      readonly reason: string | null
      /** With `happened`: the output of the write. */
      readonly output: DecisionAnswer['output']
    }
  /** Nobody answers in time. */
  | { readonly kind: 'expire'; readonly heard?: At | null }

type GivenAnswer = Extract<GivenDecision, { readonly kind: 'answer' }>

export interface People {
  /** Returns null to leave the decision open, so that the run waits. */
  decide(decision: Decision): GivenDecision | null
}

/** Leaves every decision open. */
export const nobody: People = { decide: () => null }

/** Grants every approval. Leaves writes in doubt open. */
export const approving: People = {
  decide: ({ kind }) => (kind === 'approval' ? { kind: 'answer', after: 0, verdict: 'approve', by: [], reason: null, output: null } : null),
}

/** Returns a person who may answer any decision that does not name other people. */
function principalNamed(name: string): Principal {
  return { id: asId(`rehearsed:${name}`), name, permissions, organizations: 'all', createdAt: 0, createdBy: null }
}

const anybody = ['somebody', 'somebody else', 'a third', 'a fourth', 'a fifth']

/** Returns the names of people who may answer, as many as the decision needs. */
function fitting({ by, approvers }: Decision): readonly string[] {
  const names = by.filter((who) => who !== 'approver' && !who.includes(':'))
  const free = names.length < by.length || by.length === 0
  return (free ? [...names, ...anybody] : names).slice(0, approvers)
}

/** Wakes a sleeping run: answers its decisions, or advances the clock. */
export class Waker {
  readonly #store: Store
  readonly #clock: JumpingClock
  readonly #people: People
  readonly #desk: DecisionService
  /** What people do about each decision. They are asked once. */
  readonly #given = new Map<string, GivenDecision | null>()
  /** Decisions that people have answered, even if they need more answers. */
  readonly #answered = new Set<string>()

  constructor(store: Store, clock: JumpingClock, people: People) {
    this.#store = store
    this.#clock = clock
    this.#people = people
    this.#desk = new DecisionService(store, { enqueue: async () => {} }, clock)
  }

  /**
   * Does what comes first: answers open decisions, or advances the clock to when the run continues by itself.
   *
   * @returns false if the run has ended, or waits for people who do not answer
   * @throws TocsinError if a decision does not accept an answer, or names other people
   */
  async wakes(id: RunId): Promise<boolean> {
    const run = await this.#store.runs.get(systemScope, id)
    if (run?.state !== 'waiting') return false
    const { items: open } = await this.#store.decisions.list(systemScope, { runs: [id], states: ['open'], after: null, limit: 1_000 })
    const due = this.#dueOf(open.toReversed())
    const first = Math.min(...due.map(({ at }) => at))
    if (due.length > 0 && (run.wakeAt === null || first <= run.wakeAt)) {
      let answered = false
      for (const { decision, given } of due.filter(({ at }) => at === first)) if (await this.#answers(decision, given)) answered = true
      return answered || (await this.wakes(id))
    }
    if (run.wakeAt === null) return false
    // A decision's expiry wakes the run too. But the clock may only reach it if the test says
    // `expire`.
    const unanswered = open.filter(({ id: one }) => this.#given.get(one)?.kind !== 'expire')
    const expiry = Math.min(...unanswered.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY))
    if (run.wakeAt >= expiry) return false
    this.#clock.moveTo(run.wakeAt)
    return true
  }

  /**
   * Lets people close a decision while other branches of the run are at work, when they did in the recorded run.
   *
   * @returns false if they leave it open
   */
  async closes(decision: Decision): Promise<boolean> {
    const given = this.#givenTo(decision)
    if (given === null || given.heard === null || this.#answered.has(decision.id)) return false
    if (given.kind === 'answer') {
      const { at, order } = given.heard ?? { at: decision.askedAt + given.after, order: Number.POSITIVE_INFINITY }
      await this.#clock.arrival(at, order)
      return this.#answers(decision, given)
    }
    const { expiresAt } = decision
    if (!given.heard || expiresAt === null) return false
    await this.#clock.arrival(Math.max(given.heard.at, expiresAt), given.heard.order)
    return true
  }

  #givenTo(decision: Decision): GivenDecision | null {
    if (!this.#given.has(decision.id)) this.#given.set(decision.id, this.#people.decide(decision))
    return this.#given.get(decision.id) ?? null
  }

  /** Returns the decisions that people will still answer, and when: at the latest when they expire. */
  #dueOf(open: readonly Decision[]): readonly { readonly decision: Decision; readonly given: GivenAnswer; readonly at: Millis }[] {
    return open.flatMap((decision) => {
      const given = this.#givenTo(decision)
      if (given?.kind !== 'answer' || this.#answered.has(decision.id)) return []
      return [{ decision, given, at: Math.min(decision.askedAt + given.after, decision.expiresAt ?? Number.POSITIVE_INFINITY) }]
    })
  }

  async #answers(decision: Decision, given: GivenAnswer): Promise<boolean> {
    this.#answered.add(decision.id)
    this.#clock.moveTo(decision.askedAt + given.after)
    const { verdict, reason, output } = given
    for (const name of given.by.length > 0 ? given.by : fitting(decision)) {
      const { state } = await this.#desk.answer(principalNamed(name), decision.id, { verdict, reason, output })
      if (state !== 'open') return true
    }
    return false
  }
}
