import type { AlertUuid, Decision, Json, OrganizationId, PrincipalId, ProtectedRule, RunId } from '../../domain/index.ts'
import { protectedAt } from '../../engine/index.ts'
import { isTocsinError, messageOf } from '../../errors/index.ts'
import { compilePlaybook, type Plan, withPlaybooks } from '../../playbook/index.ts'
import type { Protection } from '../../policy/index.ts'
import { askedSkills, idIn } from '../coverage/index.ts'
import { slotsOf, stepAddress, stepsOf } from '../plan-steps.ts'
import { rehearse } from '../rehearse.ts'
import type { GivenDecision, People } from '../stand-ins/people.ts'
import type { Answers, Asked, Circumstances, Given, Rehearsed } from '../types.ts'
import type { World } from '../world.ts'
import type { RecordedAnswer, RecordedDecision, Recording } from './document.ts'

/** The result of replaying a run with its own playbook and its recorded answers. */
export type ReplayedRecording =
  | { readonly kind: 'replayed'; readonly plan: Plan; readonly rehearsed: Rehearsed }
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

/**
 * Returns the recorded answer in the form that a rehearsal takes.
 *
 * @param over true if the run has ended; a call that was sent and got no answer is then in doubt
 */
export function givenOf(answer: RecordedAnswer, over: boolean): Given | null {
  switch (answer.kind) {
    case 'output':
      return { kind: 'output', output: answer.output, at: answer.at }
    case 'failed':
      return answer.effect === 'unknown' ? { kind: 'lost' } : failedOf(answer)
    case 'sent':
      return over ? { kind: 'lost' } : null
  }
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
    if (recorded.state === 'expired') return { kind: 'expire' }
    const [first] = recorded.answers
    if (!first || recorded.state === 'open' || recorded.state === 'withdrawn') return null
    const last = recorded.answers.at(-1) ?? first
    return {
      kind: 'answer',
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

  constructor({ answers, ...recording }: Recording) {
    this.#given = new Map(answers.map((answer) => [answer.step, givenOf(answer, isOver(recording))]))
  }

  answer({ step }: Asked): Given | null {
    return this.#given.get(step) ?? null
  }

  verify(): null {
    return null
  }
}

/**
 * Leaves out the ends of waits: the rehearsal waits again, so that its clock advances. Also leaves
 * out that a branch stopped the run. With it, the rehearsal would begin nothing that the journal
 * does not show as begun, and a recording is not the whole journal.
 */
function repeated({ decided }: Recording): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(decided).filter(([address]) => !/#(?:over|stop)$/.test(address)))
}

/**
 * Replays a run with its own playbook and its recorded answers, to find its calls and their inputs.
 * A run that has not ended is replayed as far as it got.
 */
export async function replayRecording(world: World, recording: Recording): Promise<ReplayedRecording> {
  const { playbook } = recording
  if (playbook.digest === '') return { kind: 'cannot', why: `it began nothing: ${recording.error?.message ?? 'its playbook could not be used'}` }
  if (playbook.text === null) return { kind: 'cannot', why: `the store no longer has the text of its playbook ${playbook.name}` }
  const subs = new Map(recording.playbooks.flatMap(({ name, text }) => (text === null ? [] : [[name, { text, file: `${name}.yaml` }] as const])))
  let plan: Plan
  try {
    plan = compilePlaybook(playbook.text, `${playbook.name}.yaml`, withPlaybooks(world.lookup, subs))
  } catch (error) {
    if (!isTocsinError(error)) throw error
    return { kind: 'cannot', why: `its playbook ${playbook.name} does not fit the loaded plugins any more: ${messageOf(error)}` }
  }
  const answers = new AddressAnswers(recording)
  const people = new RecordedPeople(recording.decisions, { decide: () => null })
  const rehearsed = await rehearse({
    ...circumstancesOf(recording, plan),
    plan,
    plugins: world.plugins,
    answers,
    people,
    decided: repeated(recording),
    asked: askedIn(recording, plan),
  })
  if (!isOver(recording)) return { kind: 'replayed', plan, rehearsed }
  const [unanswered] = rehearsed.unanswered
  if (unanswered) return { kind: 'cannot', why: `its replay calls ${unanswered.skill} at ${unanswered.step}, which has no recorded answer` }
  if (rehearsed.outcome === recording.state) return { kind: 'replayed', plan, rehearsed }
  const why = rehearsed.failure ? ` (${rehearsed.failure.code}: ${rehearsed.failure.message})` : ''
  return { kind: 'cannot', why: `its replay ends as ${rehearsed.outcome}${why}, but the run was ${recording.state}` }
}
