import {
  type AnswerRefusal,
  type ApprovalRefusal,
  type Clock,
  closedAs,
  countAsOne,
  type Decision,
  type DecisionAnswer,
  type DecisionId,
  type Makers,
  may,
  mostMakers,
  type Principal,
  type Scope,
  scopeOf,
  systemScope,
  timeText,
  verdictsOf,
  whyNoApproval,
  withAnswer,
} from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Job, Queue } from '../../queue/index.ts'
import type { Store } from '../../storage/index.ts'
import { makersOf } from './makers.ts'

/** A person's answer. */
export type GivenAnswer = Pick<DecisionAnswer, 'verdict' | 'reason' | 'output'>

const refusals = {
  closed: ['decision_closed', 'The decision is closed.'],
  expired: ['decision_expired', 'The decision has expired.'],
  not_yours: ['decision_not_yours', 'The decision names others who may answer it.'],
  twice: ['decision_answered', 'You have already answered this decision.'],
  wrong_verdict: ['decision_verdict_invalid', 'Invalid verdict for this decision.'],
  one_person: ['decision_one_person', 'One of two keys made the other: yours and that of an earlier approver.'],
  key_newer: ['decision_key_newer', 'Your key was made after the decision was opened.'],
  key_chain: ['decision_key_chain', `More than ${mostMakers} keys made one another before yours.`],
} as const

/** Describes how a decision was closed: by whom, when and why. */
function closingOf({ state, answers, closedAt }: Decision): string {
  const given = answers.map(({ by, verdict, at, reason }) => {
    const why = reason === null ? '' : ` (${reason})`
    return `${by} answered ${verdict} at ${timeText(at)}${why}`
  })
  const ended = state === 'withdrawn' && closedAt !== null ? [`its run no longer needed it at ${timeText(closedAt)}`] : []
  return `The decision is ${state}: ${[...given, ...ended].join('; ')}.`
}

/** Returns the error for a refused answer. Gives details only to a principal that may read decisions. */
function refusalOf(refusal: AnswerRefusal, standing: Decision, principal: Principal, makers: Makers): TocsinError {
  const [code, message] = refusals[refusal]
  if (refusal === 'wrong_verdict') return new TocsinError(code, `${message} It takes ${verdictsOf(standing).join(', ')}.`)
  if (!may(principal, 'decisions:read')) return new TocsinError(code, message)
  if (refusal === 'closed') return new TocsinError(code, closingOf(standing))
  const same = refusal === 'one_person' ? standing.answers.find((earlier) => countAsOne(makers, principal.id, earlier.principal)) : undefined
  if (same === undefined) return new TocsinError(code, message)
  return new TocsinError(code, `${same.by} has approved this. One of your two keys made the other, so you count as one person.`)
}

const noMakers: Makers = new Map()

/** Records a decision's state in the case. If the decision is closed, also wakes its run. Safe to repeat. */
export async function announceDecision(store: Store, decision: Decision): Promise<void> {
  const { id, case: about, run, state, title, answers, revision, step, closedAt, askedAt } = decision
  const last = answers.at(-1)
  const answered = last !== undefined && state !== 'expired' && state !== 'withdrawn'
  await store.cases.record(systemScope, about, null, {
    key: `${id}#${revision}`,
    at: closedAt ?? last?.at ?? askedAt,
    actor: answered ? { principal: last.principal } : { run, step },
    body: { kind: 'decision', decision: id, state, title, by: answers.map(({ by }) => by), text: answered ? (last.reason ?? null) : null },
  })
  if (state === 'open') return
  if (answered) await store.runs.wake(systemScope, run, closedAt ?? last.at)
  await store.decisions.told(systemScope, id)
}

/** Accepts people's answers to decisions, and wakes the runs that wait for them. */
export class DecisionService {
  readonly #store: Store
  readonly #queue: Pick<Queue, 'enqueue'>
  readonly #clock: Clock

  constructor(store: Store, queue: Pick<Queue, 'enqueue'>, clock: Clock) {
    this.#store = store
    this.#queue = queue
    this.#clock = clock
  }

  /**
   * Answers a decision for a principal.
   * @throws TocsinError `decision_unknown`, `decision_closed`, `decision_expired`, `decision_not_yours`,
   * `decision_answered`, `decision_verdict_invalid`, `decision_one_person`, `decision_key_newer`, `decision_key_chain`
   */
  async answer(principal: Principal, id: DecisionId, given: GivenAnswer): Promise<Decision> {
    const { decisions } = this.#store
    const scope = scopeOf(principal)
    for (;;) {
      const standing = await this.#standing(scope, id)
      const answer: DecisionAnswer = { ...given, principal: principal.id, by: principal.name, at: this.#clock.now() }
      const makers = given.verdict === 'approve' ? await this.#makersFor(principal, [standing]) : noMakers
      const next = withAnswer(standing, principal, answer, makers)
      if (typeof next === 'string') throw refusalOf(next, standing, principal, makers)
      // Refused if somebody else has answered since `standing` was read. Then the makers of that one count too.
      if ((await decisions.revise(scope, next)) === 'changed') continue
      await this.announce(next)
      return next
    }
  }

  /** Finds out which decisions a principal may not approve, and why: because they need several people. */
  async approvalRefusals(principal: Principal, decisions: readonly Decision[]): Promise<ReadonlyMap<DecisionId, ApprovalRefusal>> {
    const makers = await this.#makersFor(principal, decisions)
    const refused = decisions.map((decision) => [decision.id, whyNoApproval(decision, principal, makers)] as const)
    return new Map(refused.filter((one): one is [DecisionId, ApprovalRefusal] => one[1] !== null))
  }

  /**
   * Records a decision's state in the case, and wakes its run through the queue. If the queue loses the job,
   * the sweeper finds the run in the store.
   */
  async announce(decision: Decision): Promise<void> {
    await announceDecision(this.#store, decision)
    if (decision.state === 'open') return
    const run = await this.#store.runs.get(systemScope, decision.run)
    if (run?.state !== 'waiting') return
    const job: Job = { run: run.id, alert: run.alert, organization: run.organization, type: run.type, attempt: run.attempt }
    await this.#queue.enqueue([job]).catch(() => undefined)
  }

  /** Finds the makers of a principal and of those who have answered. Reads nothing if one approver is enough. */
  async #makersFor({ id }: Principal, decisions: readonly Decision[]): Promise<Makers> {
    const several = decisions.filter(({ approvers }) => approvers > 1)
    if (several.length === 0) return noMakers
    return makersOf(this.#store, [id, ...several.flatMap(({ answers }) => answers.map(({ principal }) => principal))])
  }

  /** Reads a decision. If its run has ended in the meantime, withdraws the decision first. */
  async #standing(scope: Scope, id: DecisionId): Promise<Decision> {
    const standing = await this.#store.decisions.get(scope, id)
    if (!standing) throw new TocsinError('decision_unknown', 'No decision that this key may see has this id.')
    if (standing.state !== 'open') return standing
    const run = await this.#store.runs.get(systemScope, standing.run)
    if (run && (run.state === 'running' || run.state === 'waiting')) return standing
    await withdrawDecision(this.#store, standing, this.#clock.now())
    return (await this.#store.decisions.get(scope, id)) ?? standing
  }
}

/** Withdraws a decision that nobody needs any more. */
export async function withdrawDecision(store: Store, decision: Decision, at: number): Promise<void> {
  const withdrawn = closedAs(decision, 'withdrawn', at)
  if ((await store.decisions.revise(systemScope, withdrawn)) === 'revised') await announceDecision(store, withdrawn)
}
