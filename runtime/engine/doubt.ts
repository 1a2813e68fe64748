import type { DecisionId, Json, Millis, WriteTries } from '../domain/index.ts'
import { type Condition, type Context, compileCondition, compileValue, type ValueTemplate } from '../expressions/index.ts'
import type { CallFailure, Skill } from '../plugin/index.ts'
import { parseDuration } from '../yaml/index.ts'
import { actionOf, askPeople, decisionId } from './ask.ts'
import { callKey, timeoutOf } from './call.ts'
import type { SkillOutcome } from './outcome.ts'
import type { Prepared } from './prepared.ts'
import { checkBegun, restUntil } from './rest.ts'
import { retryRule } from './retry.ts'
import { checkAlive, failed, type Walk } from './walk.ts'

/** A write that was sent and whose outcome is unknown. */
export interface Doubt {
  readonly tries: WriteTries
  /** The last try that may have happened. */
  readonly last: WriteTries['last']
  readonly failure: CallFailure
  /** Whether an earlier life of the run sent it, which may only stand still: then it can leave until `sendBy`. */
  readonly earlier: boolean
}

/**
 * Whether a write is in doubt.
 * @param place where the journal has it: the step's address, or that of one request of its handler
 * @param own what became of the last try that this life has sent; null: it has sent none
 */
export function doubtAt({ writes }: Walk, place: string, own: CallFailure | null): Doubt | null {
  const tries = writes.at(place)
  const last = tries?.open.at(-1)
  return tries && last ? { tries, last, failure: own ?? lostLife, earlier: own === null } : null
}

/** Why a write is in doubt that an earlier life of the run sent. */
const lostLife: CallFailure = {
  ...failed('write_in_doubt', 'The process that sent it died before it had the answer.', null),
  retryAfter: null,
}

/** After `sendBy` nothing of the call can leave any more; this much later it has arrived or is lost. */
const margin: Millis = 5_000

/** How a doubt was settled. */
export type Resolution =
  /** The write is sent again, and must have left by then: repeating it is safe, a probe found that it had not happened, or a person says so. */
  | { readonly kind: 'repeat'; readonly because: 'safe' | 'absent' | 'told'; readonly by: Millis }
  /** What became of the whole step is known. */
  | { readonly kind: 'settled'; readonly outcome: SkillOutcome }
  /** A person said that it happened, and what was answered, if that is known. */
  | { readonly kind: 'happened'; readonly output: Json }

/**
 * Settles a doubt as the skill allows: repeat where repeating is safe, ask the target where there is a probe, and otherwise put it before
 * a person.
 * @param mayRepeat whether the step has tries left
 * @throws Sleeping until a person has answered
 */
export async function resolveDoubt(walk: Walk, prepared: Prepared, doubt: Doubt, mayRepeat: boolean): Promise<Resolution> {
  // What an earlier life has put before a person is for that person to settle.
  if (walk.waits.asked(questionOf(walk, doubt))) return askPerson(walk, prepared, doubt)
  if (doubt.earlier) await onceItCannotLeave(walk, prepared, doubt)
  const { document } = prepared.skill
  const { idempotent } = document
  const by = repeatableUntil(document, doubt.tries)
  const inTime = (): boolean => mayRepeat && walk.clock.now() + retryRule(prepared).delay <= by
  if (idempotent && idempotent.by !== 'none' && inTime()) return { kind: 'repeat', because: 'safe', by }
  if (document.verify) {
    const found = await probe(walk, prepared, doubt)
    const probed = { kind: 'probed', address: doubt.tries.address, try: doubt.last.try, at: walk.clock.now() } as const
    if (found?.happened) {
      walk.journal.ride({ ...probed, happened: true })
      return { kind: 'settled', outcome: { ok: true, output: found.output, at: walk.clock.now(), changed: 'perhaps' } }
    }
    // Later on, what is not there any more may have been there, and somebody has undone it: that says nothing, and is not recorded.
    if (found !== null && inTime()) {
      walk.journal.ride({ ...probed, happened: false })
      return { kind: 'repeat', because: 'absent', by }
    }
  }
  checkAlive(walk.signal)
  if (!doubt.earlier) await onceItHasArrived(walk, doubt)
  return askPerson(walk, prepared, doubt)
}

/**
 * Until when a write may be sent again. A system that knows a key again forgets it so long after its first use, whatever became of that; of a
 * state it counts when it may have been set first.
 */
function repeatableUntil({ idempotent }: Skill['document'], { left, open }: WriteTries): Millis {
  if (idempotent?.repeat_within === undefined) return Number.POSITIVE_INFINITY
  const [first] = idempotent.by === 'key' ? left : open
  return (first?.at ?? 0) + parseDuration(idempotent.repeat_within)
}

function questionOf(walk: Walk, { tries, last }: Doubt): DecisionId {
  return decisionId(walk, tries.address, last.try)
}

/** Whoever is asked while it is on its way finds that it did not happen, and may be wrong a moment later. */
async function onceItHasArrived({ clock, signal }: Walk, { last: { sendBy } }: Doubt): Promise<void> {
  const left = Math.min(sendBy + margin - clock.now(), margin)
  if (left > 0) await clock.sleep(left, signal)
}

/**
 * What is repeated, probed or answered while a process that merely stood still can still send the first one, happens twice.
 * @throws Sleeping until then
 */
async function onceItCannotLeave(walk: Walk, prepared: Prepared, { last: { at, sendBy } }: Doubt): Promise<void> {
  const until = sendBy + margin
  const longest = until - at
  // The clock that wrote it was ahead of ours: the call lasts no longer than it was given, by whatever clock.
  if (until - walk.clock.now() > longest) await walk.clock.sleep(longest, walk.signal)
  else await restUntil(walk, prepared.address, { until, binding: true })
}

const longestTitle = 500

async function askPerson(walk: Walk, prepared: Prepared, doubt: Doubt): Promise<Resolution> {
  const { address, skill, target } = prepared
  const what = `${prepared.step.integration}.${skill.id}${target === null ? '' : ` on ${shownTarget(target)}`}`
  const why = `${doubt.failure.code}: ${doubt.failure.message}`
  const question = { kind: 'in_doubt', title: `Did ${what} happen? (${why})`.slice(0, longestTitle), actions: [actionOf(prepared)] } as const
  const { answers } = await askPeople(walk, doubt.tries.address, questionOf(walk, doubt), {
    ...question,
    by: [],
    approvers: 1,
    expires: null,
  })
  const answer = answers.at(-1)
  if (answer?.verdict === 'repeat') return { kind: 'repeat', because: 'told', by: Number.POSITIVE_INFINITY }
  if (answer?.verdict === 'happened') return { kind: 'happened', output: answer.output }
  const because = answer?.reason ? `; ${answer.by}: ${answer.reason}` : ''
  const message = `Whether ${what} happened is not known (${why}${because})`
  return { kind: 'settled', outcome: { ok: false, effect: 'unknown', failure: failed('write_in_doubt', message, address), at: walk.clock.now() } }
}

/** What a person knows of an answer, as far as the skill's schema has room for it. */
export function fittingOutput(skill: Skill, said: Json): Json {
  try {
    const output = skill.exactOutput(said ?? {})
    return skill.checkOutput(output).length === 0 ? output : {}
  } catch {
    return {}
  }
}

/** Characters of a target in a sentence: a bulk has hundreds of them, and the case has them all. */
const longestTarget = 200

/** A target as a sentence can have it. */
export function shownTarget(target: string): string {
  return target.length > longestTarget ? `${target.slice(0, longestTarget)}… (${target.length - longestTarget} characters more)` : target
}

interface Probe {
  readonly skill: string
  readonly with: ValueTemplate
  readonly happened: Condition
  /** What the write would have answered, of what was found. */
  readonly output: ValueTemplate | null
}

const probes = new WeakMap<Skill, Probe>()

function probeOf(skill: Skill): Probe | null {
  const { verify } = skill.document
  if (!verify) return null
  const standing = probes.get(skill)
  if (standing) return standing
  const made = {
    skill: verify.skill.split('.')[1] ?? '',
    with: compileValue((verify.with ?? {}) as Json),
    happened: compileCondition(verify.happened as Json),
    output: verify.output === undefined ? null : compileValue(verify.output),
  }
  probes.set(skill, made)
  return made
}

/** Asks the target, once the call can no longer be on its way. Null: the target did not say. @throws Sleeping where the skill's code found no slot */
async function probe(
  walk: Walk,
  prepared: Prepared,
  { last, earlier }: Doubt,
): Promise<{ readonly happened: boolean; readonly output: Json } | null> {
  const asked = probeOf(prepared.skill)
  const skill = asked && prepared.plugin.skills.get(asked.skill)
  if (!asked || !skill) return null
  if (!earlier) {
    // The clock may have been set back since.
    const wait = Math.min(last.sendBy + margin - walk.clock.now(), last.sendBy + margin - last.at)
    if (wait > 0) await walk.clock.sleep(wait, walk.signal)
  }
  const { input, faults } = skill.checkInput(asked.with.render({ input: prepared.input }) ?? {})
  if (faults.length > 0) return null
  const result = await walk.caller.call({
    organization: walk.run.organization,
    playbooks: walk.playbooks,
    run: walk.run.id,
    step: `${prepared.address}#verify`,
    connection: prepared.connection,
    plugin: prepared.plugin,
    skill,
    input,
    key: callKey(walk, `${prepared.address}#verify`),
    timeout: timeoutOf(prepared),
    sendBy: null,
    signal: walk.signal,
  })
  if (!result.ok) checkBegun(walk, result.failure, true)
  // What nobody vouches for confirms nothing.
  if (!result.ok || result.unsigned) return null
  const context = { input: prepared.input, output: result.output }
  try {
    const happened = asked.happened.test(context)
    return { happened, output: happened ? outputOf(prepared.skill, asked, context) : {} }
  } catch {
    // The answer lacks what the test looks at: the target did not say.
    return null
  }
}

/** That it happened is known even where what it answered cannot be said. */
function outputOf(skill: Skill, { output: template }: Probe, context: Context): Json {
  try {
    const { output, broken } = skill.judgeOutput(template?.render(context) ?? {})
    return broken === null ? output : {}
  } catch {
    return {}
  }
}
