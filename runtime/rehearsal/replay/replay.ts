import type { Decision } from '../../domain/index.ts'
import type { Plan } from '../../playbook/index.ts'
import { approving } from '../people.ts'
import { slotsOf } from '../plan-steps.ts'
import type { Recording } from '../recording/document.ts'
import { circumstancesOf, givenOf, isOver, RecordedPeople, rewalk } from '../recording/rewalk.ts'
import { rehearse } from '../rehearse.ts'
import type { Circumstances, RehearsedCall } from '../types.ts'
import type { World } from '../world.ts'
import { type CallDifferences, differencesOf, writesOf } from './calls.ts'
import { AnswersByInput } from './recorded-answers.ts'

/** What an edit of a playbook would have made of one recorded run. */
export interface Replayed extends CallDifferences {
  readonly run: string
  readonly outcome_before: string
  /** Null: the run could not be walked again. */
  readonly outcome_after: string | null
  /** Calls of which there is no recorded answer; the walk went on with generated ones. */
  readonly missing: readonly RehearsedCall[]
  /** Decisions that the run did not ask; they were taken as approved. */
  readonly assumed: readonly { readonly step: string; readonly title: string }[]
  /** Why the run could not be walked again, or why its end after the edit is another. */
  readonly note: string | null
}

/** Walks a recorded run once with its own playbook and once with an edited one, over the same answers, and compares the writes. */
export async function replayRun(world: World, recording: Recording, edited: Plan): Promise<Replayed> {
  const head = { run: recording.run_id, outcome_before: recording.state }
  const nothing = { added: [], removed: [], changed: [], missing: [], assumed: [] }
  const own = await rewalk(world, recording)
  if (own.kind === 'cannot') return { ...head, ...nothing, outcome_after: null, note: own.why }
  const given = new Map(recording.answers.map((answer) => [answer.step, givenOf(answer, isOver(recording))]))
  const answers = new AnswersByInput(own.rehearsed, given)
  const assumed: Decision[] = []
  const people = new RecordedPeople(recording.decisions, {
    decide(decision) {
      const given = approving.decide(decision)
      if (given) assumed.push(decision)
      return given
    },
  })
  const circumstances = boundLike(recording, own.plan, edited)
  const after = await rehearse({ ...circumstances, plan: edited, plugins: world.plugins, answers, people })
  return {
    ...head,
    outcome_after: after.outcome === 'unanswered' ? recording.state : after.outcome,
    ...differencesOf(writesOf(own.rehearsed), writesOf(after), world.plugins),
    missing: answers.missing,
    assumed: assumed.map(({ step, title }) => ({ step, title })),
    note:
      after.failure === null
        ? null
        : `${after.failure.code}: ${after.failure.message}${after.failure.step === null ? '' : ` (at ${after.failure.step})`}`,
  }
}

/** The slots of the edit as they would have been bound: those that the run had, as it had them; new ones like an old one of the same integration. */
function boundLike(recording: Recording, own: Plan, edited: Plan): Circumstances {
  const { connections } = recording
  const had = slotsOf(own)
  const bound = Object.entries(slotsOf(edited)).map(([slot, { integration }]) => {
    if (had[slot]?.integration === integration) return [slot, connections[slot] ?? false] as const
    const like = Object.keys(had).find((name) => had[name]?.integration === integration && connections[name] !== undefined)
    return [slot, (like === undefined ? undefined : connections[like]) ?? slot] as const
  })
  return { ...circumstancesOf(recording, edited), connections: Object.fromEntries(bound) }
}
