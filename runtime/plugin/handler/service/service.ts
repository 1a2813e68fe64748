import { hash } from 'node:crypto'
import type { Effect, Json, Millis, Unchanged } from '../../../domain/index.ts'
import { isTocsinError } from '../../../errors/index.ts'
import { repeatedField } from '../../answer/conclude.ts'
import { CallFailed, failureFromCode, failureOfSending } from '../../answer/failures.ts'
import { type Expectation, judge } from '../../answer/judge.ts'
import type { SkillAnswer } from '../../answer/skill-answer.ts'
import type { HandlerHost } from '../../call/call-host.ts'
import type { CallFailure } from '../../call/call-result.ts'
import { needsOf } from '../../manifest/roles.ts'
import { type Turning, turningOf } from '../../pages/index.ts'
import { silenceIn } from '../../request/paginate.ts'
import type { SkillRequest } from '../../request/skill-request.ts'
import type { HandlerPlan, Plugin, Skill } from '../../types.ts'
import { valueAt } from '../../values.ts'
import type { ActResult } from '../acts.ts'
import { openStream, Streams } from '../rows/index.ts'
import { AnsweredRequests } from './answered-requests.ts'
import { digestOfRequest, requestOf } from './asked-request.ts'
import { type Ask, type AskedRequest, AskRefused } from './asks.ts'
import { LogLines } from './log-lines.ts'
import { type Refused, tryAgain } from './try-again.ts'

type Of<Op extends Ask['op']> = Extract<Ask, { op: Op }>['body']

/** What the isolate is told: a value, or one of the call's failures, by its place in `failures`. */
export type Reply =
  | { readonly ok: true; readonly value: Json }
  /** The value as JSON, which may be large and is read by the handler alone. */
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly refusal: Json }

class Rows {
  readonly json: string
  constructor(json: string) {
    this.json = json
  }
}

/** Waits of a call: each is an entry of the run's journal. */
const maxSleeps = 2_000

/** What a handler may be refused beyond its requests; one that goes on asking is ended. */
const maxRefusals = 1_000

/** A try that would begin after the call has ended. */
const over: ActResult = { ok: false, effect: 'not_sent', failure: failureFromCode('handler_timeout', 'The call is over.'), body: null }

/** Does in the host what one call of a handler asks for, and knows afterwards what of it reached the outside world. */
export class HandlerService {
  readonly failures: CallFailed[] = []
  /** A write whose outcome is unknown: nothing more is done after it. */
  doubt: CallFailed | null = null
  /** How many requests have changed something, or may have. */
  changed = 0
  /** Its writes that were answered as done, also where they changed nothing. */
  readonly answered = new AnsweredRequests()
  /** Whether any of its answers has no signature, though answers are signed. */
  unsigned = false
  /** What of the answers was odd. */
  readonly odd = new Set<string>()
  /** As much of its output as the handler has told on its way; undefined: nothing. */
  told: Json | undefined
  /** What of its writes is known to have changed something: all may have asked for what was so before. */
  sure: Unchanged | 'yes' = 'no'
  /** Why it was not let go on. */
  overrun: CallFailure | null = null
  /** What keeping an act threw: the call is over, whatever its handler says. */
  broken: { readonly reason: unknown } | null = null
  /** When the call's time is over. */
  ends: Millis = Number.POSITIVE_INFINITY
  /** How far the call got. */
  reached: Effect = 'not_sent'
  readonly #plugin: Plugin
  readonly #skill: Skill
  readonly #plan: HandlerPlan
  readonly #host: HandlerHost
  readonly #ending: AbortController
  readonly #alreadyDone: readonly string[]
  readonly #needs: string | null
  readonly #streams = new Streams()
  readonly #lines: LogLines
  #requests = 0
  #acts = 0
  #sleeps = 0
  /** Acts that are kept happen one after the other, so that they have the same numbers every time. */
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

  /** @throws what `acts` throws: then the call is over */
  async serve(ask: Ask): Promise<Reply> {
    if (this.#ending.signal.aborted) return this.refuse('The call is over.')
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

  /** Tells a handler what it did wrong. */
  refuse(message: string): Reply {
    return this.#refusal(new CallFailed(this.reached, failureFromCode('handler_failed', message)))
  }

  /** Resolves when nothing that must be known is on its way any more. */
  async settled(): Promise<void> {
    await this.#turn.catch(() => {})
    this.#streams.closeAll()
  }

  /** An answer as the handler sees it. If its body cannot be read, the handler gets the error when it accesses the body. */
  #shown({ status, headers, body, fault }: SkillAnswer): Json {
    if (fault === undefined) return { status, headers, body }
    const { refusal } = this.#refusal(new CallFailed(this.reached, { ...failureFromCode('answer_not_understood', fault), vendor: { status } }))
    return { status, headers, unreadable: refusal }
  }

  #refusal(error: CallFailed): Extract<Reply, { ok: false }> {
    const { code, message, vendor, retryAfter } = error.failure
    // Without the body, which is the handler's alone to keep.
    const index = this.failures.push(new CallFailed(error.effect, error.failure)) - 1
    if (index >= this.#plan.maxRequests + maxRefusals) {
      this.overrun ??= failureFromCode('handler_failed', `${this.#skill.id} went on asking for what was refused: ${message}`)
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

  /** @throws CallFailed when the answer is no success */
  async #request(request: SkillRequest, expect: AskedRequest['expect']): Promise<SkillAnswer> {
    this.#count()
    const reads = request.method === 'GET'
    const expectation: Expectation = {
      asked: request,
      expected: expect ?? null,
      readsBody: false,
      // What a read does not find was not done by anybody.
      alreadyDone: reads ? [] : this.#alreadyDone,
      changes: !reads && this.#skill.impact !== 'read',
      needs: this.#needs,
    }
    const once = (sendBy: number | null): Promise<ActResult> => this.#attempt(request, expectation, sendBy)
    const send = this.#skill.impact === 'read' ? () => this.#again(reads, () => once(null)) : once
    // A read may be repeated as a whole; what it started elsewhere (a search job) is kept all the same.
    const result = reads && this.#skill.impact === 'read' ? await send(null) : await this.#kept(request, !reads, send)
    if (result.ok) {
      this.reached = 'done'
      if (result.answer.unvouched) this.unsigned = true
      if (result.answer.repeated !== undefined) this.odd.add(repeatedField(result.answer.repeated))
      return result.answer
    }
    // A read leaves nothing unknown.
    const effect = reads && result.effect === 'unknown' ? 'refused' : result.effect
    if (effect === 'refused' && this.reached === 'not_sent') this.reached = 'refused'
    throw new CallFailed(effect, result.failure, result.body)
  }

  #count(): void {
    this.#requests += 1
    if (this.#requests > this.#plan.maxRequests)
      throw new CallFailed(
        this.reached,
        failureFromCode('handler_requests_exceeded', `${this.#skill.id} may make ${this.#plan.maxRequests} requests in a call.`),
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
      // What a handler did not wait for is sent all the same, and known; it is not tried again for nobody.
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

  /** Nothing more is done after an act that could not be kept, or whose outcome settles the step: not even what was asked for already. */
  #orBreak<T>(act: Promise<T>): Promise<T> {
    return act.catch((reason: unknown) => {
      this.broken ??= { reason }
      this.#ending.abort()
      throw reason
    })
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(() => {
      if (this.#ending.signal.aborted) throw new CallFailed(this.reached, failureFromCode('network', 'The call is over.'))
      return act()
    })
    this.#turn = mine.catch(() => {})
    return mine
  }

  async #page({ request, paginate, page, read }: Of<'page'>): Promise<Json> {
    const document = paginate === 'manifest' ? this.#plugin.manifest.document.request?.paginate : paginate
    if (document === undefined) throw new AskRefused('The manifest has no request.paginate.')
    const turning = turningOf(document)
    const first = requestOf(request)
    const { status, body, fault } = await this.#request(page === null ? first : turning.turn(first, page), request.expect)
    if (fault !== undefined) throw new CallFailed('refused', { ...failureFromCode('answer_not_understood', fault), vendor: { status } })
    const found = valueAt(body, document.items)
    const items = found === null ? [] : found
    if (!Array.isArray(items))
      throw new CallFailed('refused', failureFromCode('answer_not_understood', `The answer has no list at \`${document.items}\`.`))
    const next = this.#nextPage(turning, body, read + items.length)
    const silent = next === null ? silenceIn(document, body) : null
    if (silent !== null) this.odd.add(silent)
    return { items, next }
  }

  /** Reading a page changes nothing. So if the listing fails here, the effect is `done` only because of earlier writes. */
  #nextPage(turning: Turning, body: Json, read: number): string | null {
    try {
      return turning.next(body, read)
    } catch (error) {
      if (!isTocsinError(error)) throw error
      throw new CallFailed(this.changed > 0 ? 'done' : 'refused', failureFromCode(error.code, error.message))
    }
  }

  async #open({ format, request }: Of<'open'>): Promise<Json> {
    if (this.#skill.impact !== 'read') throw new AskRefused('Only a skill that reads may stream.')
    const number = await this.#streams.open(format, async () => {
      this.#count()
      const result = await this.#again(true, () =>
        openStream(this.#plugin, this.#host, requestOf(request), { maxBytes: this.#plan.maxStream, needs: this.#needs }),
      )
      this.#host.heard?.(result.ok ? null : result)
      if (!result.ok) throw new CallFailed(result.effect === 'unknown' ? 'refused' : result.effect, result.failure, result.body)
      this.reached = 'done'
      return result.answer
    })
    // Nobody is left to read it.
    if (this.#ending.signal.aborted) this.#streams.close(number)
    return number
  }

  /** The error for a wait that is longer than the rest of the call. If an answer asked for a wait (Retry-After), its failure is the cause. */
  #tooLong(milliseconds: Millis): CallFailed {
    const message = `A wait of ${milliseconds} ms does not fit into what is left of the call's time.`
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
    if (this.#sleeps > maxSleeps) throw new AskRefused(`A call waits ${maxSleeps} times at most.`)
    const digest = hash('sha256', `sleep ${milliseconds}`, 'base64url')
    return this.#inTurn(async () => {
      const act = { number: ++this.#acts, digest, writes: false, title: `sleep ${milliseconds}` }
      const { signal } = this.#ending
      const most = this.ends - this.#host.clock.now()
      const slept = this.#host.acts.sleep(act, milliseconds, signal, most).catch((error: unknown) => {
        // A wait that ends with the call has nothing to say.
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
