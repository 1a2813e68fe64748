import type { Millis } from '../seams.ts'
import type { JournalRecord } from './journal.ts'

type Of<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>

/** What a journal says about all tries of one write: a step's call, or one request of its handler (`<step>#<number>`). */
export interface WriteTries {
  readonly address: string
  /** The last try, whatever happened to it. */
  readonly last: Of<'intent'>
  /** How many tries the pause check refused. They do not count towards any limit. */
  readonly turnedAway: number
  /** Tries that may have happened: no record says what happened to them. */
  readonly open: readonly Of<'intent'>[]
  /** Tries that may have left, because nothing proves the opposite. The external system may know any of them. */
  readonly left: readonly Of<'intent'>[]
  readonly happened: boolean
  /** Whether the clock was set back after a try that may have left. Then nobody knows how long ago that was. */
  readonly setBack: boolean
  /** Why the last try that is known to have changed nothing failed. Null: no reason is recorded. */
  readonly code: string | null
}

/** A write that changed something outside, or may have. */
export interface SentWrite {
  readonly address: string
  readonly at: Millis
  /** `unknown`: no record says what happened to it. */
  readonly outcome: 'done' | 'unknown'
}

interface Tries extends WriteTries {
  /** Tries that a probe did not find. */
  readonly absent: readonly Of<'intent'>[]
  /** Whether people were asked about the open tries. */
  readonly asked: boolean
  /** Whether a probe found the write. Its step is done then, and the journal says so next. */
  readonly found: boolean
  /** Whether the journal has the outcome of its step. */
  readonly over: boolean
}

/** The clocks of processes may differ by this much. Only a larger step back means that a clock was corrected. */
export const clockSkew: Millis = 5_000

/** Returns the address of the step that a write is part of. */
export function stepOf(address: string): string {
  return address.split('#', 1)[0] ?? address
}

/** What happened to the writes of a run, according to its journal. */
export class TriedWrites {
  /** By address. Null: the run has tried no write. */
  #tries: Map<string, Tries> | null = null
  #cancelled = false
  /** The time of the last record. */
  #at: Millis = Number.NEGATIVE_INFINITY
  /** The addresses of a handler's requests, by step. Null: no handler has sent one. */
  #requests: Map<string, string[]> | null = null

  constructor(records: readonly JournalRecord[] = []) {
    for (const record of records) this.note(record)
  }

  /** In the order of their first tries. */
  get all(): readonly WriteTries[] {
    return [...(this.#tries?.values() ?? [])]
  }

  /** Writes that changed something or may have, in the order of their first tries. */
  get sent(): readonly SentWrite[] {
    return this.all.flatMap(sentOf)
  }

  /** Writes in doubt that nothing has settled: their steps have no outcome. */
  get unsettled(): readonly WriteTries[] {
    return [...(this.#tries?.values() ?? [])].filter(({ open, over }) => open.length > 0 && !over)
  }

  at(address: string): WriteTries | undefined {
    return this.#tries?.get(address)
  }

  /** Returns the step's call, and the requests of its handler. */
  of(step: string): readonly WriteTries[] {
    return [step, ...(this.#requests?.get(step) ?? [])].flatMap((address) => this.at(address) ?? [])
  }

  /** Returns how often a write was tried, without the tries that the pause check refused. */
  counted(address: string): number {
    const tries = this.at(address)
    return tries ? tries.last.try - tries.turnedAway : 0
  }

  /** Returns whether a step's call, or a request of its handler, was sent or was about to be. */
  begun(step: string): boolean {
    return this.of(step).some(({ last, turnedAway }) => last.try > turnedAway)
  }

  /** Returns whether it has reached its target, or may have. */
  reached(step: string): boolean {
    return this.of(step).some(({ happened, open }) => happened || open.length > 0)
  }

  note(record: JournalRecord): void {
    if (record.kind === 'cancelled') this.#cancelled = true
    if ('at' in record) this.#noteTime(record.at)
    if (!('address' in record)) return
    const { address } = record
    const standing = this.#tries?.get(address)
    if (record.kind === 'intent') {
      const next = tried(record, standing)
      // The process that wrote this intent found the cancellation before it. So it did not send the write,
      // even if it died before it could record that.
      const kept = this.#cancelled && this.#begins(address)
      this.#set(kept ? { ...next, ...toldOf(next, keptBack(record)) } : next)
      if (!standing) this.#noteRequest(address)
    } else if (standing) this.#set({ ...standing, ...toldOf(standing, record) })
    if (record.kind === 'done' || record.kind === 'failed') this.#endRequests(address)
  }

  /** Notes that the step has its outcome, for the requests of its handler. */
  #endRequests(step: string): void {
    for (const address of this.#requests?.get(step) ?? []) {
      const tries = this.#tries?.get(address)
      if (tries) this.#set({ ...tries, over: true, ...(tries.found && { open: [], happened: true }) })
    }
  }

  /** Marks the tries that seem to be later than a later record. */
  #noteTime(at: Millis): void {
    const stepBack = at < this.#at - clockSkew
    this.#at = at
    if (!stepBack) return
    for (const tries of this.#tries?.values() ?? [])
      if (tries.left.some((intent) => intent.at > at + clockSkew)) this.#set({ ...tries, setBack: true })
  }

  #set(tries: Tries): void {
    this.#tries ??= new Map()
    this.#tries.set(tries.address, tries)
  }

  #noteRequest(address: string): void {
    const step = stepOf(address)
    if (step === address) return
    this.#requests ??= new Map()
    const standing = this.#requests.get(step)
    if (standing) standing.push(address)
    else this.#requests.set(step, [address])
  }

  /**
   * Returns whether an intent at an address would begin something new: it repeats no write in doubt, and
   * belongs to no handler that has changed something, or may have.
   */
  #begins(address: string): boolean {
    return stepOf(address) === address ? (this.at(address)?.open.length ?? 0) === 0 : !this.reached(stepOf(address))
  }
}

function tried(intent: Of<'intent'>, before: Tries | undefined): Tries {
  // If people were asked, they said that the write did not happen. Otherwise it would not be sent again.
  const open = before && !before.asked ? before.open : []
  return {
    address: intent.address,
    last: intent,
    turnedAway: before?.turnedAway ?? 0,
    open: [...open, intent],
    left: [...(before?.left ?? []), intent],
    happened: before?.happened ?? false,
    setBack: before?.setBack ?? false,
    code: before?.code ?? null,
    absent: [],
    asked: false,
    found: false,
    over: false,
  }
}

/** Returns the record for a try that found the run cancelled. */
function keptBack({ address, try: number, at }: Of<'intent'>): Of<'tried'> {
  return { kind: 'tried', address, try: number, effect: 'not_sent', code: 'run_cancelled', turnedAway: true, at }
}

/** Returns what a record changes about the tries of a write. */
function toldOf(tries: Tries, record: JournalRecord): Partial<Tries> {
  const { open, left, absent, turnedAway } = tries
  switch (record.kind) {
    case 'tried': {
      // Only this try. An earlier one may still have happened.
      const without = (some: Tries['open']): Tries['open'] => some.filter((intent) => intent.try !== record.try)
      const sent = record.effect === 'not_sent' ? without(left) : left
      return { open: without(open), left: sent, turnedAway: turnedAway + (record.turnedAway ? 1 : 0), code: record.code }
    }
    case 'probed':
      return record.happened ? { found: true } : { open: [], absent: open, code: null }
    case 'asked':
      // People settle what they were asked about, whatever a probe said before.
      return { open: open.length > 0 ? open : absent, asked: true }
    case 'answered':
    case 'done':
      return { open: [], happened: true }
    case 'failed':
      return record.effect === 'done' ? { open: [], happened: true } : { over: true }
    default:
      return {}
  }
}

function sentOf({ address, last, open, happened }: WriteTries): readonly SentWrite[] {
  if (happened) return [{ address, at: last.at, outcome: 'done' }]
  const unknown = open.at(-1)
  return unknown ? [{ address, at: unknown.at, outcome: 'unknown' }] : []
}

/** Returns the records of a journal without the tries that the pause check refused. */
export function withoutTurnedAway(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const tryOf = (record: JournalRecord): string | null => ('address' in record && 'try' in record ? `${record.try} ${record.address}` : null)
  const away = new Set(records.map((record) => (record.kind === 'tried' && record.turnedAway ? tryOf(record) : null)))
  return records.filter((record) => !((record.kind === 'intent' || record.kind === 'tried') && away.has(tryOf(record))))
}
