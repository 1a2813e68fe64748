import { type Decision, type Json, normaliseType } from '../../domain/index.ts'
import type { Plan } from '../../playbook/index.ts'
import { idIn } from '../coverage/index.ts'
import { slotsOf, stepsOf } from '../plan-steps.ts'
import type { Recording } from '../recorded/document.ts'
import { askedIn, circumstancesOf, givenAnswers, isOver, protectedIn, RecordedPeople, replayRecording } from '../recording/replay-recording.ts'
import { rehearse } from '../rehearse.ts'
import type { At } from '../stand-ins/jumping-clock.ts'
import { approving } from '../stand-ins/people.ts'
import type { Circumstances, Rehearsed, RehearsedCall } from '../types.ts'
import type { World } from '../world.ts'
import { type CallDifferences, differencesOf, writesOf } from './calls.ts'
import { isSameWait, joinAt, sameJoins, sameTimes } from './joins.ts'
import { AnswersByInput } from './recorded-answers.ts'

/** What an edited playbook would have done in one recorded run. */
export interface Replayed extends CallDifferences {
  readonly run: string
  readonly outcome_before: string
  /** Null if the run could not be replayed. */
  readonly outcome_after: string | null
  /** Reads without a recorded answer. They got generated answers, as new writes do. */
  readonly missing: readonly RehearsedCall[]
  /** Decisions that the run did not ask for. The replay assumes that they were approved. */
  readonly assumed: readonly { readonly step: string; readonly title: string }[]
  /**
   * Integrations whose loaded plugin is not the version that the run had. Calls may differ because
   * of that alone.
   */
  readonly other_plugins: readonly string[]
  /**
   * Why the run could not be replayed, or why it ends differently after the edit. Null if there is
   * nothing to say.
   */
  readonly note: string | null
}

interface EditedReplay {
  readonly after: Rehearsed
  readonly answers: AnswersByInput
  readonly people: AssumingPeople
}

/**
 * Answers decisions as in the recorded run. Approves those that the run did not ask for. Leaves
 * open those that the run asked for and nobody has answered yet.
 */
class AssumingPeople extends RecordedPeople {
  readonly assumed: Decision[]

  constructor(decisions: Recording['decisions'], open: ReadonlySet<string>) {
    const assumed: Decision[] = []
    super(decisions, {
      decide(decision) {
        const given = open.has(decision.step) ? null : approving.decide(decision)
        if (given) assumed.push(decision)
        return given
      },
    })
    this.assumed = assumed
  }
}

/** Returns the result for a run that was not replayed. @param why the reason, for people */
export function notReplayed(run: string, state: string, why: string): Replayed {
  return {
    run,
    outcome_before: state,
    outcome_after: null,
    added: [],
    removed: [],
    changed: [],
    missing: [],
    assumed: [],
    other_plugins: [],
    note: why,
  }
}

/**
 * Replays a run twice with the recorded answers, once with its own playbook and once with the
 * edited one. Compares the writes.
 */
export async function replayRun(world: World, recording: Recording, edited: Plan): Promise<Replayed> {
  const head = { run: recording.run_id, outcome_before: recording.state }
  const nothing = { added: [], removed: [], changed: [], missing: [], assumed: [], other_plugins: otherPlugins(world, recording, edited) }
  const type = normaliseType(recording.alert.alert_type ?? '')
  if (!edited.types.includes(type))
    return {
      ...head,
      ...nothing,
      outcome_after: null,
      note: `${edited.name} is for alerts of the type ${edited.types.join(', ')}, but this alert has the type ${type}`,
    }
  const own = await replayRecording(world, recording)
  if (own.kind === 'cannot') return { ...head, ...nothing, outcome_after: null, note: own.why }
  const given = givenAnswers(recording)
  const circumstances = boundLike(recording, own.plan, edited)
  const open = new Set(isOver(recording) ? [] : own.rehearsed.decisions.filter(({ state }) => state === 'open').map(({ step }) => step))
  const edits = stepsOf(edited)
  const passed = new Set([...own.recorded.passed].filter((address) => edits.has(idIn(address.replace(/\/\d+$/, '')))))
  // An edit may have removed the `stop`, or what took so long.
  const isOwn = edited.digest === own.plan.digest
  const { foreseen, timedOut } = isOwn ? own.recorded : { foreseen: {}, timedOut: null }
  // A wait that the edit changed takes its own time.
  const waited = (address: string): At | null => (isSameWait(address, own.plan, edited) ? own.recorded.waited(address) : null)
  const replayWith = async (decided: Readonly<Record<string, Json>>): Promise<EditedReplay> => {
    const answers = new AnswersByInput(own.rehearsed, given)
    const people = new AssumingPeople(recording.decisions, open)
    const after = await rehearse({
      ...circumstances,
      plan: edited,
      plugins: world.plugins,
      answers,
      people,
      recorded: { ...own.recorded, waited, own: isOwn, decided, foreseen, timedOut, passed, isBehind: (address) => own.recorded.behind.has(address) },
      asked: askedIn(recording, edited),
      protected: protectedIn(recording, own.plan),
    })
    const { failure } = after
    const other = failure?.code === 'journal_mismatch' ? joinAt(failure.step ?? '') : null
    if (other === null || !Object.hasOwn(decided, other)) return { after, answers, people }
    // With the edit, the branches end in another order. Then the rehearsal decides the order.
    return replayWith(Object.fromEntries(Object.entries(decided).filter(([address]) => address !== other)))
  }
  const { after, answers, people } = await replayWith({ ...sameTimes(recording, own.plan, edited), ...sameJoins(recording, own.plan, edited) })
  const asBefore = after.outcome === 'unanswered' || (!isOver(recording) && after.outcome === own.rehearsed.outcome)
  return {
    ...head,
    outcome_after: asBefore ? recording.state : after.outcome,
    ...differencesOf(writesOf(own.rehearsed), writesOf(after), world.plugins),
    missing: answers.missing,
    assumed: people.assumed.map(({ step, title }) => ({ step, title })),
    other_plugins: nothing.other_plugins,
    note:
      after.failure === null
        ? null
        : `${after.failure.code}: ${after.failure.message}${after.failure.step === null ? '' : ` (at ${after.failure.step})`}`,
  }
}

/**
 * Returns the integrations of the edited playbook whose loaded plugin is not the version that the
 * run had.
 */
function otherPlugins({ plugins }: World, recording: Recording, edited: Plan): readonly string[] {
  const called = new Set(Object.values(slotsOf(edited)).map(({ integration }) => integration))
  return Object.entries(recording.plugins).flatMap(([id, digest]) => (called.has(id) && plugins.get(id)?.digest !== digest ? [id] : []))
}

/**
 * Binds the slots of the edited playbook. Slots that the run had keep their connections. A new slot
 * gets the connection of an old one with the same integration.
 */
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
