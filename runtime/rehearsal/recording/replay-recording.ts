import type { AlertUuid, Decision, Json, OrganizationId, PrincipalId, ProtectedRule, RunId } from '../../domain/index.ts'
import { protectedAt } from '../../engine/index.ts'
import { isTocsinError, messageOf, registry } from '../../errors/index.ts'
import { compilePlaybook, type Plan, withPlaybooks } from '../../playbook/index.ts'
import type { Protection } from '../../policy/index.ts'
import { askedSkills, idIn } from '../coverage/index.ts'
import { slotsOf, stepAddress, stepsOf } from '../plan-steps.ts'
import type { RecordedAnswer, RecordedDecision, RecordedMoment, Recording } from '../recorded/document.ts'
import { rehearse } from '../rehearse.ts'
import type { At } from '../stand-ins/jumping-clock.ts'
import type { GivenDecision, People } from '../stand-ins/people.ts'
import type { Answers, Asked, Circumstances, Given, Recorded, Rehearsed } from '../types.ts'
import type { World } from '../world.ts'

/** The way of a recorded run, with the steps before which its branches were cancelled or stopped. */
type RecordedRun = Recorded & { readonly behind: ReadonlySet<string> }

/** The result of replaying a run with its own playbook and its recorded answers. */
export type ReplayedRecording =
  | {
      readonly kind: 'replayed'
      readonly plan: Plan
      readonly rehearsed: Rehearsed
      readonly recorded: RecordedRun
    }
  /** Says why the run cannot be replayed. */
  | { readonly kind: 'cannot'; readonly why: string }

export function isOver({ state }: Pick<Recording, 'state'>): boolean {
  return state === 'completed' || state === 'failed'
}

/**
 * Returns the alert, the run and the connections as they were. @param plan the plan whose slots
 * need connections
 */
export function circumstancesOf(recording: Recording, plan: Plan): Circumstances {
  const { alert, connections, started_at, run_id, attempt, case_id } = recording
  const slots = Object.keys(slotsOf(plan)).map((slot) => [slot, connections[slot] ?? false] as const)
  return {
    alert: {
      content: alert.alert_content,
      alertId: alert.alert_id,
      name: alert.alert_name,
      provider: alert.alert_provider,
      type: alert.alert_type,
      uuid: alert.alert_uuid as AlertUuid,
      createdAt: alert.created_at,
      createdAtSource: alert.created_at_source,
      createdBy: alert.created_by as PrincipalId,
      retryCount: alert.investigation_retry_count,
      organizationCode: alert.organization_code,
      organization: alert.organization_uuid as OrganizationId,
    },
    now: started_at,
    run: { id: run_id as RunId, attempt },
    caseId: case_id,
    connections: Object.fromEntries(slots),
  }
}

/** Returns the recorded answers in the form that a rehearsal takes, by the address of their step. */
export function givenAnswers(recording: Pick<Recording, 'answers' | 'decisions' | 'state'>): ReadonlyMap<string, Given | null> {
  const doubts = recording.decisions.filter(({ kind }) => kind === 'in_doubt')
  // People were asked when the answer was lost. The outcome was recorded after they had answered.
  const lostAt = new Map(doubts.toReversed().map(({ step, asked }) => [stepAddress(step), asked]))
  return new Map(recording.answers.map((answer) => [answer.step, givenOf(answer, lostAt.get(answer.step) ?? null, isOver(recording))]))
}

/** @param over true if the run has ended; a call that was sent and got no answer is then in doubt */
function givenOf(answer: RecordedAnswer, lostAt: RecordedMoment | null, over: boolean): Given | null {
  const lost = (arrives: RecordedMoment | null): Given => ({ kind: 'lost', ...(arrives && { arrives: atOf(arrives) }) })
  switch (answer.kind) {
    case 'output':
      return { kind: 'output', output: answer.output, arrives: atOf(answer) }
    case 'failed':
      return answer.effect === 'unknown' ? lost(lostAt ?? answer) : { ...failedOf(answer), arrives: atOf(answer) }
    case 'sent':
      return over ? lost(lostAt) : null
  }
}

function atOf({ at, order }: RecordedMoment): At {
  return { at, order }
}

function failedOf({ code, message, effect, output }: Extract<RecordedAnswer, { kind: 'failed' }>): Given {
  return { kind: 'failed', code, message, effect, ...(output !== undefined && { output }) }
}

/**
 * Groups decisions by step. A rehearsal treats a handler as one request. So of the doubts about a
 * handler's requests, only the last counts, after an approval that the step asked for.
 */
export function decisionsByStep(decisions: readonly RecordedDecision[]): ReadonlyMap<string, readonly RecordedDecision[]> {
  const groups = [...Map.groupBy(decisions, ({ step }) => stepAddress(step))]
  return new Map(groups.map(([step, own]) => [step, [...own.filter((one) => one.kind === 'approval'), ...doubtsOf(step, own)]]))
}

function doubtsOf(step: string, own: readonly RecordedDecision[]): readonly RecordedDecision[] {
  const doubts = own.filter(({ kind }) => kind === 'in_doubt')
  return doubts.some((one) => one.step !== step) ? doubts.slice(-1) : doubts
}

/**
 * Returns the skills that the organization's policy asked about in a recorded run. Ignores steps
 * that the plan does not have.
 */
export function askedIn({ decisions }: Pick<Recording, 'decisions'>, plan: Plan): readonly string[] {
  return askedSkills(
    plan,
    decisions.filter(({ kind }) => kind === 'approval').map(({ step }) => step),
  )
}

/**
 * Returns what the organization's policy protected in a recorded run, as far as it made the run
 * skip calls.
 *
 * @param plan the run's own plan
 */
export function protectedIn({ decided }: Pick<Recording, 'decided'>, plan: Plan): readonly ProtectedRule[] {
  const steps = stepsOf(plan)
  return Object.entries(decided).flatMap(([address, value]): ProtectedRule[] => {
    const step = address.endsWith(protectedAt('')) ? steps.get(idIn(address.slice(0, -protectedAt('').length))) : undefined
    if (step?.kind !== 'skill') return []
    const { target, reason } = value as unknown as Protection
    return [{ names: [target], pattern: null, skills: [`${step.integration}.${step.skill}`], reason }]
  })
}

/** Repeats what people did in a recorded run, each step's decisions in order. */
export class RecordedPeople implements People {
  readonly #decisions: ReadonlyMap<string, readonly RecordedDecision[]>
  readonly #asked = new Map<string, number>()
  readonly #otherwise: People

  /** @param otherwise answers decisions that the run did not ask for */
  constructor(decisions: readonly RecordedDecision[], otherwise: People) {
    this.#decisions = decisionsByStep(decisions)
    this.#otherwise = otherwise
  }

  decide(decision: Decision): GivenDecision | null {
    const step = stepAddress(decision.step)
    const own = this.#decisions.get(step)
    const number = this.#asked.get(step) ?? 0
    this.#asked.set(step, number + 1)
    const recorded = own?.[number]
    if (!recorded) return this.#otherwise.decide(decision)
    // The run went on without a decision that was withdrawn, whatever time passed.
    const heard = recorded.heard && atOf(recorded.heard)
    if (recorded.state === 'expired' || recorded.state === 'withdrawn') return { kind: 'expire', heard }
    const [first] = recorded.answers
    if (!first || recorded.state === 'open') return null
    const last = recorded.answers.at(-1) ?? first
    return {
      kind: 'answer',
      heard,
      after: Math.max((recorded.closed_at ?? recorded.asked_at) - recorded.asked_at, 0),
      verdict: last.verdict,
      // One decline closes a decision, even after approvals.
      by: recorded.answers.filter(({ verdict }) => verdict === last.verdict).map(({ by }) => by),
      reason: last.reason,
      output: last.output,
    }
  }
}

class AddressAnswers implements Answers {
  readonly #given: ReadonlyMap<string, Given | null>

  constructor(recording: Recording) {
    this.#given = givenAnswers(recording)
  }

  answer({ step }: Asked): Given | null {
    return this.#given.get(step) ?? null
  }

  verify(): null {
    return null
  }
}

/**
 * Returns the way that a recorded run took. Leaves out the ends of waits: the rehearsal waits again,
 * so that its clock advances. A `stop` in a branch ends the run again when the branch reaches it.
 */
function wayOf({ decided, answers, decisions, waits, noted, uncounted, error }: Recording): RecordedRun {
  const choices = Object.entries(decided)
  // A decision that the journal does not have was asked for by a process that died right then.
  const begun = [...[...answers, ...decisions.filter(({ asked }) => asked !== null)].map(({ step }) => stepAddress(step)), ...noted]
  const skips = ([address, value]: readonly [string, Json]): boolean =>
    (address.endsWith('?if') && value === false) || address.endsWith(protectedAt(''))
  const skipped = choices.filter(skips).map(([address]) => address.replace(/[?#]\w+$/, ''))
  const passed = new Set([...begun, ...skipped])
  const behind = new Set<string>()
  const ended = new Map(answers.flatMap((answer) => (answer.kind === 'sent' ? [] : [[answer.step, atOf(answer)] as const])))
  const over = new Map(waits.map((wait) => [wait.step, atOf(wait)]))
  return {
    own: true,
    timedOut: error?.code === 'run_timeout' ? { ...error, remedy: registry.run_timeout.remedy } : null,
    uncounted,
    ended: (address) => ended.get(address) ?? null,
    waited: (address) => over.get(address) ?? null,
    decided: Object.fromEntries(choices.filter(([address]) => !/#(?:over|stop)$/.test(address))),
    foreseen: Object.fromEntries(choices.filter(([address]) => address.endsWith('#stop'))),
    passed,
    behind,
    isBehind(address, last) {
      if (last) behind.add(address)
      return last
    },
  }
}

/**
 * Replays a run with its own playbook and its recorded answers, to find its calls and their inputs.
 * A run that has not ended is replayed as far as it got.
 */
export async function replayRecording(world: World, recording: Recording): Promise<ReplayedRecording> {
  const { playbook } = recording
  if (playbook.digest === '') return { kind: 'cannot', why: `it began nothing: ${recording.error?.message ?? 'its playbook could not be used'}` }
  if (recording.error?.code === 'run_cancelled') return { kind: 'cannot', why: 'somebody cancelled it, and a replay cannot repeat that' }
  if (playbook.text === null) return { kind: 'cannot', why: `the store no longer has the text of its playbook ${playbook.name}` }
  const subs = new Map(recording.playbooks.flatMap(({ name, text }) => (text === null ? [] : [[name, { text, file: `${name}.yaml` }] as const])))
  let plan: Plan
  try {
    plan = compilePlaybook(playbook.text, `${playbook.name}.yaml`, withPlaybooks(world.lookup, subs))
  } catch (error) {
    if (!isTocsinError(error)) throw error
    return { kind: 'cannot', why: `its playbook ${playbook.name} does not fit the loaded plugins any more: ${messageOf(error)}` }
  }
  const recorded = wayOf(recording)
  const answers = new AddressAnswers(recording)
  const people = new RecordedPeople(recording.decisions, { decide: () => null })
  const rehearsed = await rehearse({
    ...circumstancesOf(recording, plan),
    plan,
    plugins: world.plugins,
    answers,
    people,
    recorded,
    asked: askedIn(recording, plan),
  })
  if (!isOver(recording)) return { kind: 'replayed', plan, rehearsed, recorded }
  const [unanswered] = rehearsed.unanswered
  if (unanswered) return { kind: 'cannot', why: `its replay calls ${unanswered.skill} at ${unanswered.step}, which has no recorded answer` }
  if (rehearsed.outcome === recording.state) return { kind: 'replayed', plan, rehearsed, recorded }
  const why = rehearsed.failure ? ` (${rehearsed.failure.code}: ${rehearsed.failure.message})` : ''
  return { kind: 'cannot', why: `its replay ends as ${rehearsed.outcome}${why}, but the run was ${recording.state}` }
}
