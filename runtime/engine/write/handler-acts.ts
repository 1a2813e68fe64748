import type { Json, Millis } from '../../domain/index.ts'
import { systemScope } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Act, ActResult, Acts, SkillAnswer } from '../../plugin/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { retryRule } from '../call/retry-rule.ts'
import { type FailedTry, finishRecordedWait, waitBeforeRetry } from '../call/retry-wait.ts'
import { failed } from '../failure/failed.ts'
import { RunFailed } from '../failure/signals.ts'
import { decide } from '../journal/decide.ts'
import { inlineLimit, type StepOutcome } from '../journal/step-outcome.ts'
import type { WriteContext } from '../run/contexts.ts'
import { longestWaitInProcess } from '../run/wait-until.ts'
import { sendWrite } from './send-write.ts'
import { tellBegun } from './tell-begun.ts'
import type { UnknownWrite } from './unknown-write.ts'
import { changeAfterRetries } from './write-attempt.ts'

type Answered = Pick<Extract<ActResult, { ok: true }>, 'answer' | 'changed'>

/** Thrown when the outcome of the whole step is known, so the handler must not continue. */
export class StepSettled extends Error {
  override readonly name = 'StepSettled'
  readonly outcome: StepOutcome

  constructor(outcome: StepOutcome) {
    super('the step is settled')
    this.outcome = outcome
  }
}

/**
 * Records each request of one step's handler in the journal, under `address#n`. If the handler starts again,
 * in this execution or another, it gets recorded answers from there. A write with an intent but no answer is
 * in doubt. It is resolved like the write of a declared skill. Refusals are not kept: sending again after a
 * refusal is like sending for the first time.
 */
export class RecordedActs implements Acts {
  readonly #execution: WriteContext
  readonly #prepared: PreparedCall
  readonly #answers = new Map<string, { readonly digest: string } & Answered>()
  /** What this execution decided, for the handler's next start. The journal was read when the execution began. */
  #began: Millis | null = null
  readonly #slept = new Map<string, Millis>()
  #stored = 0

  constructor(execution: WriteContext, prepared: PreparedCall) {
    this.#execution = execution
    this.#prepared = prepared
  }

  begin(): Millis {
    this.#began ??= decide(this.#execution, `${this.#prepared.address}#now`, () => this.#execution.clock.now())
    return this.#began
  }

  /** @throws StepSettled, RunFailed `journal_mismatch`, GivenUp, Superseded, and the store's errors */
  async request(act: Act, send: (sendBy: Millis | null) => Promise<ActResult>): Promise<ActResult> {
    const place = `${this.#prepared.address}#${act.number}`
    const known = await this.#known(place, act)
    if (known) return { ok: true, ...known }
    const result = act.writes ? await this.#write(place, act, send) : await this.#read(place, send)
    if (result.ok && !act.writes) await this.#keep(place, act, 1, result)
    return result
  }

  /** Sends a read. If the skill writes, retries it here. If it only reads, the host has already retried it. */
  async #read(place: string, send: (sendBy: Millis | null) => Promise<ActResult>): Promise<ActResult> {
    if (this.#prepared.skill.impact === 'read') return send(null)
    const binding = this.#mustFinish
    for (let tries = 1 + (await finishRecordedWait(this.#execution, place, binding)); ; tries += 1) {
      const result = await send(null)
      if (result.ok || !(await this.#rested({ place, tries, failure: result.failure, binding }))) return result
    }
  }

  /**
   * Whether the handler runs to its end although the run was cancelled, or its time is over: it has changed something.
   * Half of its requests could leave a user half suspended.
   */
  get #mustFinish(): boolean {
    return this.#execution.writes.reached(this.#prepared.address)
  }

  /**
   * Waits before the next try, by the rule of the step or the manifest. Returns false if there is no next try.
   * @throws Sleeping
   */
  #rested(tried: FailedTry): Promise<boolean> {
    return waitBeforeRetry(this.#execution, retryRule(this.#prepared), tried)
  }

  /** @throws RunFailed `journal_mismatch`, Superseded, and the store's errors */
  async sleep(act: Act, delay: Millis, signal: AbortSignal, most: Millis): Promise<boolean> {
    const { clock, replay, journal } = this.#execution
    const place = `${this.#prepared.address}#${act.number}`
    if (this.#digestAt(place) !== undefined) this.#otherWay(act, place)
    const standing = this.#slept.get(place) ?? replay.decision(place)
    const until = typeof standing === 'number' ? standing : clock.now() + delay
    if (standing === undefined) journal.push({ kind: 'decided', address: place, value: until })
    this.#slept.set(place, until)
    // If the clock was set back since, it has waited for some of that time, and waits for no more than all of it.
    const left = Math.min(until - clock.now(), delay)
    if (left > most) return false
    if (left > longestWaitInProcess) await tellBegun(this.#execution, this.#prepared)
    if (left > 0) await clock.sleep(left, signal)
    return true
  }

  /** Digest of the recorded request. */
  #digestAt(place: string): string | undefined {
    const { replay, writes } = this.#execution
    return this.#answers.get(place)?.digest ?? replay.answer(place)?.digest ?? writes.at(place)?.open.at(-1)?.digest
  }

  /**
   * Handles a handler that asks for something else than before. A handler that only reads may do so, because
   * the data may have changed.
   * @throws RunFailed `journal_mismatch` if the skill writes
   */
  #otherWay({ title }: Act, place: string): void {
    const { skill, address } = this.#prepared
    if (skill.impact === 'read') return
    throw new RunFailed(failed('journal_mismatch', `The handler of ${address} asked for another ${title} than before.`, place))
  }

  async #known(place: string, act: Act): Promise<Answered | null> {
    const { replay } = this.#execution
    const digest = this.#digestAt(place)
    const slept = this.#slept.has(place) || replay.decision(place) !== undefined
    if (slept || (digest !== undefined && digest !== act.digest)) {
      this.#otherWay(act, place)
      return null
    }
    const own = this.#answers.get(place)
    if (own) return own
    const record = replay.answer(place)
    if (!record) return null
    const changed = record.changed && { changed: record.changed }
    if ('value' in record.answer) return { answer: record.answer.value as unknown as SkillAnswer, ...changed }
    const json = await this.#execution.store.journal.getOutput(systemScope, this.#execution.run.id, record.answer.stored)
    if (json === null) throw new TocsinError('internal', `The stored answer of ${place} is gone.`)
    return { answer: JSON.parse(json) as SkillAnswer, ...changed }
  }

  /**
   * Sends a write and retries it here instead of starting the handler again. Otherwise a handler that handles
   * refusals itself would see every temporary one.
   */
  async #write(place: string, act: Act, send: (sendBy: Millis | null) => Promise<ActResult>): Promise<ActResult> {
    const { plugin } = this.#prepared
    const end = await sendWrite(this.#execution, {
      prepared: this.#prepared,
      place,
      digest: act.digest,
      timeout: plugin.manifest.request.writeTimeout,
      cancellable: !this.#mustFinish,
      describe: (unknown) => describe(act, unknown),
      send,
    })
    if (end.kind === 'settled') throw new StepSettled(end.outcome)
    if (end.kind === 'happened') return { ok: true, answer: await this.keepTold(place, act, end.try, end.output) }
    const { result, intent } = end
    if (!result.ok) return result
    const answered = { answer: result.answer, ...changeAfterRetries(result.changed, intent.try) }
    await this.#keep(place, act, intent.try, answered)
    return { ok: true, ...answered }
  }

  /**
   * Records the answer to a request that, as a person says, happened. Returns it.
   * @param output what the person gave as its answer
   */
  async keepTold(place: string, act: Pick<Act, 'digest'>, tries: number, output: Json): Promise<SkillAnswer> {
    const answer: SkillAnswer = { status: 200, headers: {}, body: output ?? {} }
    await this.#keep(place, act, tries, { answer })
    return answer
  }

  async #keep(place: string, { digest }: Pick<Act, 'digest'>, tries: number, { answer, changed }: Answered): Promise<void> {
    const { journal, store, run, clock } = this.#execution
    this.#answers.set(place, { digest, answer, ...(changed && { changed }) })
    const json = JSON.stringify(answer)
    const at = clock.now()
    const large = json.length > inlineLimit
    // A stored value never changes. An execution that died before it recorded this name may have stored
    // another value, so each execution uses its own name.
    const name = `${place}@${run.epoch}.${++this.#stored}`
    if (large) await store.journal.putOutput(systemScope, run.id, name, json)
    const kept = large ? { stored: name } : { value: answer as unknown as Json }
    journal.push({ kind: 'answered', address: place, try: tries, digest, answer: kept, ...(changed && { changed }), at })
  }
}

/** Names the request of the handler that is in doubt. */
function describe({ number, title }: Act, unknown: UnknownWrite): UnknownWrite {
  const which = number === 1 ? title : `request ${number}, ${title} (earlier requests were answered)`
  return { ...unknown, failure: { ...unknown.failure, message: `${which}: ${unknown.failure.message}` } }
}
