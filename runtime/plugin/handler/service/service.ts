import { hash } from 'node:crypto'
import type { Effect, Json, Millis, Unchanged } from '../../../domain/index.ts'
import { isTocsinError } from '../../../errors/index.ts'
import { answeredAt } from '../../answer/answer-times.ts'
import { repeatedField } from '../../answer/conclude.ts'
import { CallFailed, failureFromCode, failureOfSending } from '../../answer/failures.ts'
import { type Expectation, judge, unreadBody } from '../../answer/judge.ts'
import type { SkillAnswer } from '../../answer/skill-answer.ts'
import type { HandlerHost } from '../../call/call-host.ts'
import type { CallFailure } from '../../call/call-result.ts'
import { needsOf } from '../../manifest/roles.ts'
import { PageTrail, turningOf } from '../../pages/index.ts'
import { doubtIn, listIn, shortfallIn } from '../../request/paginate.ts'
import type { SkillRequest } from '../../request/skill-request.ts'
import type { HandlerPlan, Plugin, Skill } from '../../types.ts'
import type { ActResult } from '../acts.ts'
import { openStream, Streams } from '../rows/index.ts'
import { AnsweredRequests } from './answered-requests.ts'
import { digestOfRequest, requestOf } from './asked-request.ts'
import { type Ask, type AskedRequest, AskRefused } from './asks.ts'
import { LogLines } from './log-lines.ts'
import { type Refused, tryAgain } from './try-again.ts'

type Of<Op extends Ask['op']> = Extract<Ask, { op: Op }>['body']

/** The reply to an ask: a value, or one of the call's failures, by its index in `failures`. */
export type Reply =
  | { readonly ok: true; readonly value: Json }
  /** The value as JSON. It may be large, and only the handler parses it. */
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly refusal: Json }

class Rows {
  readonly json: string
  constructor(json: string) {
    this.json = json
  }
}

/** The most waits of a call. Each is an entry in the run's journal. */
const maxSleeps = 2_000

/**
 * How many asks may be refused, beyond the number of requests. A handler that goes on asking
 * is stopped.
 */
const maxRefusals = 1_000

/** The result of a try that would begin after the call has ended. */
const over: ActResult = { ok: false, effect: 'not_sent', failure: failureFromCode('handler_timeout', 'The call has ended.'), body: null }

/**
 * Does in the host what one call of a handler asks for, and tracks how much of it has reached the
 * outside world.
 */
export class HandlerService {
  readonly failures: CallFailed[] = []
  /** A write whose outcome is unknown. Nothing more is done after it. */
  doubt: CallFailed | null = null
  /** How many requests have changed something, or may have. */
  changed = 0
  /** The writes that were answered as done, including those that changed nothing. */
  readonly answered = new AnsweredRequests()
  /** Set if an answer has no signature although the system signs its answers. */
  unsigned = false
  /** Set if an answer counts more items than all pages had, in words. */
  incomplete: string | null = null
  /** When the external system gave its first answer, by its own clock. Null: it did not say. */
  answeredAt: Millis | null = null
  /** Warnings about the answers. */
  readonly odd = new Set<string>()
  /** The partial output that the handler has reported. Undefined if none. */
  told: Json | undefined
  /** Whether the writes so far have changed anything. `no`: everything was already as requested. */
  sure: Unchanged | 'yes' = 'no'
  /** Why the handler was stopped, if it asked for too much. */
  overrun: CallFailure | null = null
  /** What recording an act threw. The call is then over, whatever its handler returns. */
  broken: { readonly reason: unknown } | null = null
  /** When the call's time is over. */
  ends: Millis = Number.POSITIVE_INFINITY
  #reached: Effect = 'not_sent'
  readonly #plugin: Plugin
  readonly #skill: Skill
  readonly #plan: HandlerPlan
  readonly #host: HandlerHost
  readonly #ending: AbortController
  readonly #alreadyDone: readonly string[]
  readonly #needs: string | null
  readonly #streams = new Streams()
  /** By the number of the listing. */
  readonly #trails = new Map<number, PageTrail>()
  readonly #lines: LogLines
  #requests = 0
  #acts = 0
  #sleeps = 0
  /**
   * The previous recorded act. Recorded acts run one after the other, so that they have the same
   * numbers every time.
   */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(plugin: Plugin, skill: Skill, plan: HandlerPlan, host: HandlerHost, ending: AbortController) {
    this.#plugin = plugin
    this.#skill = skill
    this.#plan = plan
    this.#host = host
    this.#ending = ending
    this.#lines = new LogLines(host.log)
    this.#alreadyDone = skill.document.idempotent?.already_done ?? []
    this.#needs = needsOf(plugin, skill)
  }

  /** How far the call got. A write that has only read so far has changed nothing. */
  get reached(): Effect {
    return this.#reached === 'done' && this.#skill.impact !== 'read' && this.changed === 0 ? 'refused' : this.#reached
  }

  /** @throws what `acts` throws. The call is then over */
  async serve(ask: Ask): Promise<Reply> {
    if (this.#ending.signal.aborted) return this.refuse('The call has ended.')
    try {
      const value = await this.#do(ask)
      return value instanceof Rows ? { ok: true, json: value.json } : { ok: true, value }
    } catch (error) {
      if (this.broken?.reason === error) throw error
      if (error instanceof CallFailed) return this.#refusal(error)
      if (isTocsinError(error)) return this.#refusal(new CallFailed(this.reached, failureFromCode(error.code, error.message)))
      throw error
    }
  }

  /** Returns the reply that tells a handler what it did wrong. */
  refuse(message: string): Reply {
    return this.#refusal(new CallFailed(this.reached, failureFromCode('handler_failed', message)))
  }

  /** Resolves when all acts that must be recorded are done. */
  async settled(): Promise<void> {
    await this.#turn.catch(() => {})
    this.#streams.closeAll()
  }

  /**
   * Returns an answer as the handler sees it. If its body cannot be read, the handler gets the
   * error when it accesses the body.
   */
  #shown({ status, headers, body, fault }: SkillAnswer): Json {
    if (fault === undefined) return { status, headers, body }
    const { refusal } = this.#refusal(new CallFailed(this.reached, { ...failureFromCode('answer_not_understood', fault), vendor: { status } }))
    return { status, headers, unreadable: refusal }
  }

  #refusal(error: CallFailed): Extract<Reply, { ok: false }> {
    const { code, message, vendor, retryAfter } = error.failure
    // The body goes to the handler only and is not kept here.
    const index = this.failures.push(new CallFailed(error.effect, error.failure)) - 1
    if (index >= this.#plan.maxRequests + maxRefusals) {
      this.overrun ??= failureFromCode('handler_failed', `${this.#skill.id} kept asking after it was refused: ${message}`)
      this.#ending.abort()
    }
    return { ok: false, refusal: { index, code, message, status: vendor?.['status'] ?? null, retryAfter, body: error.body } }
  }

  #do(ask: Ask): Promise<Json | Rows> | Json | Rows {
    switch (ask.op) {
      case 'request':
        return this.#request(requestOf(ask.body), ask.body.expect).then((answer) => this.#shown(answer))
      case 'page':
        return this.#page(ask.body)
      case 'open':
        return this.#open(ask.body)
      case 'rows':
        return this.#streams.rows(ask.body.stream).then((json) => (json === null ? null : new Rows(json)))
      case 'close':
        this.#streams.close(ask.body.stream)
        return null
      case 'sleep':
        return this.#sleep(ask.body)
      case 'partial':
        this.told = ask.body.output
        return null
      case 'log':
        this.#lines.write(ask.body)
        return null
    }
  }

  /** @throws CallFailed if the answer is not a success */
  async #request(request: SkillRequest, expect: AskedRequest['expect']): Promise<SkillAnswer> {
    this.#count()
    const reads = request.method === 'GET'
    const expectation: Expectation = {
      asked: request,
      expected: expect ?? null,
      readsBody: false,
      // A read that finds nothing does not mean that a write had already been done.
      alreadyDone: reads ? [] : this.#alreadyDone,
      changes: !reads && this.#skill.impact !== 'read',
      needs: this.#needs,
    }
    const once = (sendBy: number | null): Promise<ActResult> => this.#attempt(request, expectation, sendBy)
    const send = this.#skill.impact === 'read' ? () => this.#again(reads, () => once(null)) : once
    // A skill that reads can be repeated as a whole, so its GETs are not recorded. What it starts
    // elsewhere (such as a search job) is.
    const result = reads && this.#skill.impact === 'read' ? await send(null) : await this.#kept(request, !reads, send)
    if (result.ok) {
      this.#reached = 'done'
      if (result.answer.unvouched) this.unsigned = true
      this.answeredAt ??= answeredAt(result.answer.headers)
      if (result.answer.repeated !== undefined) this.odd.add(repeatedField(result.answer.repeated))
      const unread = unreadBody(result.answer, expectation.changes)
      if (unread !== null) this.odd.add(unread)
      return result.answer
    }
    // The effect of a read is never unknown.
    const effect = reads && result.effect === 'unknown' ? 'refused' : result.effect
    if (effect === 'refused' && this.#reached === 'not_sent') this.#reached = 'refused'
    throw new CallFailed(effect, result.failure, result.body)
  }

  #count(): void {
    this.#requests += 1
    if (this.#requests > this.#plan.maxRequests)
      throw new CallFailed(
        this.reached,
        failureFromCode('handler_requests_exceeded', `${this.#skill.id} may make at most ${this.#plan.maxRequests} requests in a call.`),
      )
  }

  async #attempt(request: SkillRequest, expectation: Expectation, sendBy: number | null): Promise<ActResult> {
    const result = await this.#judged(request, expectation, sendBy)
    this.#host.heard?.(result.ok ? null : result)
    return result
  }

  async #judged(request: SkillRequest, expectation: Expectation, sendBy: number | null): Promise<ActResult> {
    const sent = await this.#host.send(request, sendBy)
    if (sent.effect !== 'done') {
      return { ok: false, effect: sent.effect, failure: failureOfSending(sent), body: null }
    }
    try {
      const already = judge(this.#plugin, expectation, sent.answer)
      return { ok: true, answer: sent.answer, ...(already && { changed: 'no' }) }
    } catch (error) {
      if (!(error instanceof CallFailed) || error.effect === 'done') throw error
      return { ok: false, effect: error.effect, failure: error.failure, body: sent.answer.fault === undefined ? sent.answer.body : null }
    }
  }

  #kept(request: SkillRequest, changes: boolean, attempt: (sendBy: number | null) => Promise<ActResult>): Promise<ActResult> {
    const writes = changes && this.#skill.impact !== 'read'
    return this.#inTurn(async () => {
      const act = { number: ++this.#acts, digest: digestOfRequest(request), writes, title: `${request.method} ${request.path}` }
      let tried = false
      // A request that the handler did not await is sent and recorded all the same. It is not retried
      // after the call has ended.
      const send = async (sendBy: number | null): Promise<ActResult> => {
        if (tried && this.#ending.signal.aborted) return over
        tried = true
        return attempt(sendBy)
      }
      const result = await this.#orBreak(this.#host.acts.request(act, send))
      if (writes && result.ok) {
        if (result.changed !== 'no') this.changed += 1
        this.answered.add(act.title, result.answer)
        this.sure = surer(this.sure, result.changed ?? 'yes')
      }
      if (writes && !result.ok && result.effect === 'unknown') {
        this.doubt = new CallFailed('unknown', result.failure)
        this.#ending.abort()
      }
      return result
    })
  }

  /**
   * Ends the call if an act could not be recorded, or if its outcome settles the step. Nothing more
   * is done then, not even what was already requested.
   */
  #orBreak<T>(act: Promise<T>): Promise<T> {
    return act.catch((reason: unknown) => {
      this.broken ??= { reason }
      this.#ending.abort()
      throw reason
    })
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(() => {
      if (this.#ending.signal.aborted) throw new CallFailed(this.reached, failureFromCode('network', 'The call has ended.'))
      return act()
    })
    this.#turn = mine.catch(() => {})
    return mine
  }

  async #page({ request, paginate, page, read, listing }: Of<'page'>): Promise<Json> {
    const document = paginate === 'manifest' ? this.#plugin.manifest.document.request?.paginate : paginate
    if (document === undefined) throw new AskRefused('The manifest has no request.paginate.')
    const turning = turningOf(document)
    const first = requestOf(request)
    const trail = this.#trails.get(listing) ?? new PageTrail()
    this.#trails.set(listing, trail)
    if (page !== null) this.#paging(() => trail.turn(page))
    const answer = await this.#request(page === null ? first : turning.turn(first, page), request.expect)
    const { status, body, fault } = answer
    if (fault !== undefined) throw new CallFailed('refused', { ...failureFromCode('answer_not_understood', fault), vendor: { status } })
    const { items, next } = this.#paging(() => {
      const items = listIn(document, body)
      trail.read(items)
      return { items, next: turning.next(answer, read + items.length) }
    })
    if (next === null) this.#trails.delete(listing)
    const doubt = next === null ? doubtIn(document, body, read + items.length) : null
    if (doubt !== null) this.odd.add(doubt)
    if (next === null) this.incomplete ??= shortfallIn(document, body, read + items.length)
    return { items, next }
  }

  /**
   * Does a part of paging. Reading a page changes nothing, so if this fails, the effect is `done` only because
   * of earlier writes.
   */
  #paging<T>(part: () => T): T {
    try {
      return part()
    } catch (error) {
      if (!isTocsinError(error)) throw error
      throw new CallFailed(this.changed > 0 ? 'done' : 'refused', failureFromCode(error.code, error.message))
    }
  }

  async #open({ format, request }: Of<'open'>): Promise<Json> {
    if (this.#skill.impact !== 'read') throw new AskRefused('Only a skill with `impact: read` may stream.')
    const number = await this.#streams.open(format, async () => {
      this.#count()
      const result = await this.#again(true, () =>
        openStream(this.#plugin, this.#host, requestOf(request), { maxBytes: this.#plan.maxStream, needs: this.#needs }),
      )
      this.#host.heard?.(result.ok ? null : result)
      if (!result.ok) throw new CallFailed(result.effect === 'unknown' ? 'refused' : result.effect, result.failure, result.body)
      this.#reached = 'done'
      return result.answer
    })
    // The call has ended, so nobody will read the stream.
    if (this.#ending.signal.aborted) this.#streams.close(number)
    return number
  }

  /**
   * Returns the error for a wait that is longer than the rest of the call. If an answer asked for
   * the wait (Retry-After), its failure is the cause.
   */
  #tooLong(milliseconds: Millis): CallFailed {
    const message = `A wait of ${milliseconds} ms is longer than the time that the call has left.`
    const last = this.failures.at(-1)?.failure
    if (last?.retryAfter == null) return new CallFailed(this.reached, failureFromCode('handler_timeout', message))
    return new CallFailed(this.reached, { ...last, message: `${last.message} ${message}`, unwaited: true })
  }

  #again<Result extends { readonly ok: true }>(reads: boolean, attempt: () => Promise<Result | Refused>): Promise<Result | Refused> {
    const left = (): Millis => this.ends - this.#host.clock.now()
    return tryAgain(this.#plugin, this.#host, { ending: this.#ending.signal, left }, reads, attempt)
  }

  #sleep({ milliseconds }: Of<'sleep'>): Promise<Json> {
    this.#sleeps += 1
    if (this.#sleeps > maxSleeps) throw new AskRefused(`A call may wait at most ${maxSleeps} times.`)
    const digest = hash('sha256', `sleep ${milliseconds}`, 'base64url')
    return this.#inTurn(async () => {
      const act = { number: ++this.#acts, digest, writes: false, title: `sleep ${milliseconds}` }
      const { signal } = this.#ending
      const most = this.ends - this.#host.clock.now()
      const slept = this.#host.acts.sleep(act, milliseconds, signal, most).catch((error: unknown) => {
        // A wait that ends because the call ends is not an error.
        if (error !== signal.reason) throw error
        return true
      })
      if (!(await this.#orBreak(slept))) throw this.#tooLong(milliseconds)
      return null
    })
  }
}

function surer(one: Unchanged | 'yes', other: Unchanged | 'yes'): Unchanged | 'yes' {
  if (one === 'yes' || other === 'yes') return 'yes'
  return one === 'perhaps' ? one : other
}
