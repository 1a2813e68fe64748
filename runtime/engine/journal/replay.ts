import { type JournalEntry, type JournalRecord, type Json, stepOf } from '../../domain/index.ts'
import type { RecordedStep, RecordedWay } from './recorded-way.ts'
import { holders, StepsAhead } from './steps-ahead.ts'

type Of<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>
/** A record of one step. */
type OfStep = Extract<JournalRecord, { readonly address: string }>

/**
 * Kinds of records that show that a step began a call. Such a step must be replayed to its end. A choice, a question
 * or a wait alone does not require that.
 */
const ofCalls: ReadonlySet<JournalRecord['kind']> = new Set(['intent', 'tried', 'answered', 'probed', 'done', 'failed'])

/** Suffix of the address that records the count of a call. */
export const spentMark = '#spent'

/** Suffix of the address that records until when a step waits. */
export const untilMark = '#until'

/** Suffix of the address that records that a wait is over. */
export const overMark = '#over'

/** Suffix of the address that records that a branch stopped the run. */
export const stopMark = '#stop'

/** Suffix of the address that records which branches had ended at a join. */
export const joinMark = '#join'

/** Suffix of the address that records how many items a loop has. */
export const countMark = '#'

/** Returns the addresses of the branches that had ended at a recorded join. None if the decision is no join. */
function endedBranches(address: string, value: Json): readonly string[] {
  return address.endsWith(joinMark) ? Object.keys(value as object).map((name) => `${address.slice(0, -joinMark.length)}/${name}`) : []
}

/** The records of steps in a journal, by address. */
class StepRecords {
  readonly decisions = new Map<string, Json>()
  readonly outcomes = new Map<string, Of<'done'> | Of<'failed'>>()
  readonly answers = new Map<string, Of<'answered'>>()
  readonly retries = new Map<string, Of<'retried'>>()
  /** Steps that an earlier execution began, and branches that ended in it, and this one has not replayed yet. */
  readonly ahead = new StepsAhead()
  /** Steps in which an earlier execution waited, and this one has not passed yet. The latest is the last. */
  readonly waits = new Set<string>()
  /** Steps in which an earlier execution asked people or waited. */
  readonly slow = new StepsAhead()
  /** The counts of calls, under each address that contains the call. */
  readonly spent = new Map<string, (readonly [string, Json])[]>()

  read(record: OfStep): void {
    if (ofCalls.has(record.kind)) this.ahead.add(stepOf(record.address))
    switch (record.kind) {
      case 'asked':
        this.slow.add(record.address)
        break
      case 'decided':
        this.decisions.set(record.address, record.value)
        if (record.address.endsWith(spentMark)) this.#spend(record.address, record.value)
        // A branch that had ended ends again, also inside a branch that is cancelled. The steps after the join depend on it.
        for (const branch of endedBranches(record.address, record.value)) this.ahead.add(branch)
        if (record.address.endsWith(untilMark)) this.#wait(record.address.slice(0, -untilMark.length))
        // This wait is over. Another branch may still be in an earlier one.
        if (record.address.endsWith(overMark)) this.waits.delete(record.address.slice(0, -overMark.length))
        break
      case 'done':
      case 'failed':
        this.outcomes.set(record.address, record)
        break
      case 'answered':
        this.answers.set(record.address, record)
        break
      case 'retried':
        this.retries.set(record.address, record)
    }
  }

  #wait(step: string): void {
    this.waits.add(step)
    this.slow.add(step)
  }

  #spend(address: string, value: Json): void {
    for (const holder of holders(address)) {
      const spent = this.spent.get(holder)
      if (spent) spent.push([address, value])
      else this.spent.set(holder, [[address, value]])
    }
  }
}

/** What was begun before in a part of a playbook, and is still to be passed. */
export interface Ahead {
  any(): boolean
  /** Whether the recorded run passed a later step of the same sequence. */
  later(): boolean
}

function own(choices: Readonly<Record<string, Json>> | undefined, address: string): Json | undefined {
  return choices !== undefined && Object.hasOwn(choices, address) ? choices[address] : undefined
}

/**
 * What earlier executions of a run recorded, by step address. A replay takes decisions and outcomes from here.
 */
export class Replay {
  /** Null: no earlier execution recorded anything about a step. Most runs are executed once, and need no maps. */
  readonly #records: StepRecords | null = null
  /** The way of the recorded run, if this is its rehearsal. */
  readonly recorded: RecordedWay | null
  /** Steps that the recorded run passed and this execution has not passed yet. Null: there is no recorded run. */
  readonly #recordedAhead: StepsAhead | null
  /** The same steps, without those of branches for which a join did not wait. */
  readonly #recordedLater: StepsAhead | null

  /**
   * @param recorded the way of the recorded run, if this is its rehearsal
   * @param noted steps that an earlier execution began, although the journal has no record of them
   */
  constructor(entries: readonly JournalEntry[], recorded: RecordedWay | null = null, noted: readonly string[] = []) {
    this.recorded = recorded
    const branches = Object.entries(recorded?.decided ?? {}).flatMap(([address, value]) => endedBranches(address, value))
    this.#recordedAhead = recorded && new StepsAhead([...recorded.passed, ...branches])
    this.#recordedLater = recorded && new StepsAhead(recorded.passed)
    for (const { records } of entries) {
      for (const record of records) {
        if (!('address' in record)) continue
        this.#records ??= new StepRecords()
        this.#records.read(record)
      }
    }
    for (const step of noted) this.#records?.ahead.add(step)
  }

  /** Returns whether an earlier execution began a call at or below an address, asked people there, or waited. */
  hasBegun(address: string): boolean {
    const records = this.#records
    return records !== null && (records.ahead.hadAny(address) || records.slow.hadAny(address))
  }

  /**
   * Returns whether anything that an earlier execution began at or below an address still has to be replayed.
   * The empty address is the run.
   */
  isReplaying(address: string): boolean {
    return this.#records?.ahead.hasAny(address) ?? false
  }

  /**
   * Returns whether steps at or below an address are still ahead that were in time: in an earlier execution, or in the
   * recorded run, if its playbook is rehearsed without an edit.
   */
  isInTime(address: string): boolean {
    return this.isReplaying(address) || (this.recorded?.own === true && this.#recordedAhead?.hasAny(address) === true)
  }

  /** Call when a join does not wait for the branch with this address. */
  leaveBehind(branch: string): void {
    this.#recordedLater?.detach(branch)
  }

  /** Returns what is ahead at or below an address, also in the recorded run. */
  ahead(address: string): Ahead {
    return {
      any: () => this.isReplaying(address) || (this.#recordedAhead?.hasAny(address) ?? false),
      later: () => this.#recordedLater?.hasAny(address) ?? false,
    }
  }

  /**
   * Call when a step or a branch has ended in this execution.
   * @param asleep whether the run sleeps in it, and so continues it in a later execution
   */
  markReplayed(address: string, asleep = false): void {
    if (!asleep) this.#records?.waits.delete(address)
    this.#records?.ahead.delete(address)
    this.#recordedAhead?.delete(address)
    this.#recordedLater?.delete(address)
  }

  /** Returns the step in which an earlier execution waited last, if this one has not passed it yet. */
  waitsAt(): string | null {
    return [...(this.#records?.waits ?? [])].at(-1) ?? null
  }

  decision(address: string): Json | undefined {
    return this.#records?.decisions.get(address) ?? own(this.recorded?.decided, address)
  }

  /** Returns a choice that the recorded run made, if no execution of this one has made it yet. */
  foreseen(address: string): Json | undefined {
    if (this.recorded === null || this.#records?.decisions.has(address)) return undefined
    return own(this.recorded.decided, address) ?? own(this.recorded.foreseen, address)
  }

  /** Returns what the recorded run did at a step that leaves a trace in the journal or the case. Null: there is no recorded run. */
  recordedStep(address: string): RecordedStep | null {
    const { recorded } = this
    // A poll has an address for each of its calls.
    const passed = recorded?.passed.has(address) || recorded?.passed.has(`${address}/0`) || false
    return recorded && { passed, isBehind: (last) => recorded.isBehind(address, last) }
  }

  /** Returns the counts of calls at or below an address. The empty address gives all. */
  spentIn(address: string): readonly (readonly [string, Json])[] {
    return this.#records?.spent.get(address) ?? []
  }

  outcome(address: string): Of<'done'> | Of<'failed'> | undefined {
    return this.#records?.outcomes.get(address)
  }

  /** Returns the recorded wait before the next try of a call, or of a request of a handler. */
  retry(address: string): Of<'retried'> | undefined {
    return this.#records?.retries.get(address)
  }

  /** Returns the recorded answer to a request of a handler. */
  answer(address: string): Of<'answered'> | undefined {
    return this.#records?.answers.get(address)
  }
}
