import {
  type DecisionId,
  type Effect,
  type Failure,
  type JournalRecord,
  type Json,
  type Millis,
  type RecordedOutput,
  type RecordedWrite,
  stepOf,
  withoutTurnedAway,
} from '../domain/index.ts'

import { forEachWithTurns, type Turn } from './for-each.ts'

/** One try of a write. */
export interface Attempt {
  /** For a handler: the number of the request in the journal. Null: the skill sends only one request. */
  readonly request: number | null
  readonly number: number
  readonly at: Millis
  /** The effect that the journal recorded for this try. Null: it recorded none. */
  readonly effect: Effect | null
  readonly code: string | null
}

/** What the journal says about a call, a script or an approval. */
export interface CallFacts {
  /** `sent`: it was sent, and the journal does not say how it ended. */
  readonly outcome: 'done' | 'failed' | 'sent'
  readonly began: Millis | null
  readonly ended: Millis | null
  /** How often the call was sent. For a handler: how often the request that was sent most often. */
  readonly tries: number
  /** The tries of a write. For a handler, the tries of its requests. */
  readonly attempts: readonly Attempt[]
  readonly output: RecordedOutput | null
  readonly failure: Failure | null
  readonly write: RecordedWrite | null
  readonly warnings: readonly string[]
}

/** A decision that people were asked for. */
export interface AskedFacts {
  readonly decision: DecisionId
  readonly at: Millis
}

/** The most tries of one call that are kept. */
const mostAttempts = 50

interface Span {
  readonly began: Millis | null
  readonly ended: Millis | null
}

function earlier(one: Millis | null, other: Millis | null): Millis | null {
  return one === null || (other !== null && other < one) ? other : one
}

function later(one: Millis | null, other: Millis | null): Millis | null {
  return one === null || (other !== null && other > one) ? other : one
}

/** Returns the number of a handler's request, from its address `step#number`. */
function requestOf(address: string): number | null {
  const number = address.split('#')[1]
  return number === undefined ? null : Number(number)
}

const nothing: CallFacts = {
  outcome: 'sent',
  began: null,
  ended: null,
  tries: 0,
  attempts: [],
  output: null,
  failure: null,
  write: null,
  warnings: [],
}

/** What the journal of a run says about its steps, by step address. */
export class RunFacts {
  readonly calls = new Map<string, CallFacts>()
  readonly asked = new Map<string, AskedFacts[]>()
  readonly decided = new Map<string, Json>()
  /** Addresses of the steps that have a record in the journal. */
  readonly #traced = new Set<string>()

  readonly #spans = new Map<string, Span>()

  static async read(records: readonly JournalRecord[], turn: Turn): Promise<RunFacts> {
    const facts = new RunFacts()
    await forEachWithTurns(withoutTurnedAway(records), turn, (record) => facts.#note(record))
    await forEachWithTurns(facts.calls, turn, ([address, { began, ended }]) => facts.#widen(address, began, ended))
    await forEachWithTurns(facts.asked, turn, ([address, asked]) => facts.#widen(address, asked[0]?.at ?? null, null))
    return facts
  }

  /** Returns when a step or the first call in it began. Null: the journal does not say. */
  beganAt(address: string): Millis | null {
    return this.#spans.get(address)?.began ?? null
  }

  /** Returns when a step or the last call in it ended. Null: the journal does not say. */
  endedAt(address: string): Millis | null {
    return this.#spans.get(address)?.ended ?? null
  }

  /** Extends the time span of a step and of all steps around it. */
  #widen(address: string, began: Millis | null, ended: Millis | null): void {
    for (let step = address; step !== ''; step = step.slice(0, Math.max(step.lastIndexOf('/'), 0))) {
      const span = this.#spans.get(step)
      this.#spans.set(step, { began: earlier(span?.began ?? null, began), ended: later(span?.ended ?? null, ended) })
    }
  }

  /** Returns whether the journal has a record of a step. */
  traced(address: string): boolean {
    return this.#traced.has(address)
  }

  /** Returns the addresses of the calls that a poll made. */
  polls(address: string): readonly string[] {
    const found: string[] = []
    for (let number = 0; this.calls.has(`${address}/${number}`); number += 1) found.push(`${address}/${number}`)
    return found
  }

  #note(record: JournalRecord): void {
    if (!('address' in record)) return
    // Decided values have the step's address with a suffix, as in `a/b?if` or `a/b#join`.
    const step = stepOf(record.address).replace(/\?(?:if)?$/, '')
    this.#traced.add(step)
    switch (record.kind) {
      case 'decided':
        this.decided.set(record.address, record.value)
        break
      case 'asked':
        this.asked.set(step, [...(this.asked.get(step) ?? []), { decision: record.decision, at: record.at }])
        break
      case 'intent':
        this.#change(step, ({ began, tries, attempts }) => ({
          began: began ?? record.at,
          // Each request of a handler counts its own tries.
          tries: Math.max(tries, record.try),
          attempts: [...attempts, { request: requestOf(record.address), number: record.try, at: record.at, effect: null, code: null }].slice(
            -mostAttempts,
          ),
        }))
        break
      case 'tried':
        this.#change(step, ({ attempts }) => ({
          attempts: attempts.map((one, index) => (index === attempts.length - 1 ? { ...one, effect: record.effect, code: record.code } : one)),
        }))
        break
      case 'done': {
        const { output, write = null, warnings = [], began, tries, at } = record
        this.#end(step, { outcome: 'done', output, write, warnings }, { began, tries, at })
        break
      }
      case 'failed': {
        const { output = null, write = null, failure, began, tries, at } = record
        this.#end(step, { outcome: 'failed', output, write, failure }, { began, tries, at })
        break
      }
      default:
    }
  }

  #change(step: string, change: (standing: CallFacts) => Partial<CallFacts>): void {
    const standing = this.calls.get(step) ?? nothing
    this.calls.set(step, { ...standing, ...change(standing) })
  }

  #end(
    step: string,
    told: Partial<CallFacts>,
    { began, tries, at }: { readonly began: Millis | undefined; readonly tries: number | undefined; readonly at: Millis },
  ): void {
    this.#change(step, (standing) => ({
      ...told,
      began: this.asked.get(step)?.[0]?.at ?? standing.began ?? began ?? at,
      ended: at,
      tries: Math.max(standing.tries, tries ?? 1),
    }))
  }
}
