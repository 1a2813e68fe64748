import type { Millis } from '../seams.ts'
import type { JournalRecord } from './journal.ts'

type Of<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>

/** What a log says of one write, however often it was tried: of a step's call, or of one request of its handler (`<step>#<number>`). */
export interface WriteTries {
  readonly address: string
  /** The last of them, whatever became of it. */
  readonly last: Of<'intent'>
  /** How many the gate turned away: they count for nothing that a step may do so often. */
  readonly turnedAway: number
  /** Those that may have happened: nothing says what became of them. */
  readonly open: readonly Of<'intent'>[]
  /** Tries that may have left, because nothing proves the opposite: the target may remember any of them. */
  readonly left: readonly Of<'intent'>[]
  readonly happened: boolean
  /** Why the last try that is known to have changed nothing did not; null: no reason is recorded. */
  readonly code: string | null
}

/** A write that changed the outside world, or may have. */
export interface SentWrite {
  readonly address: string
  readonly at: Millis
  /** `unknown`: nothing says what became of it. */
  readonly outcome: 'done' | 'unknown'
}

interface Tries extends WriteTries {
  /** What a probe did not find. */
  readonly absent: readonly Of<'intent'>[]
  /** Whether people were asked about those that are open. */
  readonly asked: boolean
}

/** The step that a write is part of. */
export function stepOf(address: string): string {
  return address.split('#', 1)[0] ?? address
}

/** What became of the writes of a run, as its log tells it. */
export class TriedWrites {
  readonly #tries = new Map<string, Tries>()
  #cancelled = false
  /** By step. */
  readonly #addresses = new Map<string, string[]>()

  constructor(records: readonly JournalRecord[] = []) {
    for (const record of records) this.note(record)
  }

  /** In the order in which they were first tried. */
  get all(): readonly WriteTries[] {
    return [...this.#tries.values()]
  }

  /** Those that changed something, or may have, in the order in which they were first tried. */
  get sent(): readonly SentWrite[] {
    return this.all.flatMap(sentOf)
  }

  at(address: string): WriteTries | undefined {
    return this.#tries.get(address)
  }

  /** How often a write was tried that the gate did not turn away. */
  counted(address: string): number {
    const tries = this.at(address)
    return tries ? tries.last.try - tries.turnedAway : 0
  }

  /** Whether a step's call, or a request of its handler, was sent, or about to be. */
  begun(step: string): boolean {
    return this.#of(step).some(({ last, turnedAway }) => last.try > turnedAway)
  }

  /** Whether it has reached its target, or may have. */
  reached(step: string): boolean {
    return this.#of(step).some(({ happened, open }) => happened || open.length > 0)
  }

  note(record: JournalRecord): void {
    if (record.kind === 'cancelled') this.#cancelled = true
    if (!('address' in record)) return
    const { address } = record
    const standing = this.#tries.get(address)
    if (record.kind === 'intent') {
      const next = tried(record, standing)
      // The life that wrote this intent found the cancellation before it, so it did not send the write, even if it died before it could say so.
      const kept = this.#cancelled && this.#begins(address)
      this.#tries.set(address, kept ? { ...next, ...toldOf(next, keptBack(record)) } : next)
      if (!standing) this.#addresses.set(stepOf(address), [...(this.#addresses.get(stepOf(address)) ?? []), address])
    } else if (standing) this.#tries.set(address, { ...standing, ...toldOf(standing, record) })
  }

  /** Whether an intent at an address would begin something: it settles no doubt, and is of no handler that has begun. */
  #begins(address: string): boolean {
    return stepOf(address) === address ? (this.at(address)?.open.length ?? 0) === 0 : !this.begun(stepOf(address))
  }

  #of(step: string): readonly WriteTries[] {
    return (this.#addresses.get(step) ?? []).flatMap((address) => this.#tries.get(address) ?? [])
  }
}

function tried(intent: Of<'intent'>, before: Tries | undefined): Tries {
  // Who was asked has said that it did not happen: else it would not be sent again.
  const open = before && !before.asked ? before.open : []
  return {
    address: intent.address,
    last: intent,
    turnedAway: before?.turnedAway ?? 0,
    open: [...open, intent],
    left: [...(before?.left ?? []), intent],
    happened: before?.happened ?? false,
    code: before?.code ?? null,
    absent: [],
    asked: false,
  }
}

/** What there is to say of a try that found the run cancelled. */
function keptBack({ address, try: number, at }: Of<'intent'>): Of<'tried'> {
  return { kind: 'tried', address, try: number, effect: 'not_sent', code: 'run_cancelled', turnedAway: true, at }
}

/** What a record says of a write that was tried. */
function toldOf(tries: Tries, record: JournalRecord): Partial<Tries> {
  const { open, left, absent, turnedAway } = tries
  switch (record.kind) {
    case 'tried': {
      // Of this try alone: one before it may have happened all the same.
      const without = (some: Tries['open']): Tries['open'] => some.filter((intent) => intent.try !== record.try)
      const sent = record.effect === 'not_sent' ? without(left) : left
      return { open: without(open), left: sent, turnedAway: turnedAway + (record.turnedAway ? 1 : 0), code: record.code }
    }
    case 'probed':
      return record.happened ? {} : { open: [], absent: open, code: null }
    case 'asked':
      // What was put before a person is for that person to settle, whatever a probe had said.
      return { open: open.length > 0 ? open : absent, asked: true }
    case 'answered':
    case 'done':
      return { open: [], happened: true }
    case 'failed':
      return record.effect === 'done' ? { open: [], happened: true } : {}
    default:
      return {}
  }
}

function sentOf({ address, last, open, happened }: WriteTries): readonly SentWrite[] {
  if (happened) return [{ address, at: last.at, outcome: 'done' }]
  const unknown = open.at(-1)
  return unknown ? [{ address, at: unknown.at, outcome: 'unknown' }] : []
}

/** The records of a log without the tries that the gate turned away. */
export function withoutTurnedAway(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const tryOf = (record: JournalRecord): string | null => ('address' in record && 'try' in record ? `${record.try} ${record.address}` : null)
  const away = new Set(records.map((record) => (record.kind === 'tried' && record.turnedAway ? tryOf(record) : null)))
  return records.filter((record) => !((record.kind === 'intent' || record.kind === 'tried') && away.has(tryOf(record))))
}
