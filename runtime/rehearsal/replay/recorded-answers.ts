import { generatedValue } from '../stand-ins/generated-value.ts'
import type { Answers, Asked, Given, Rehearsed, RehearsedCall } from '../types.ts'
import { canonical } from './calls.ts'

interface KnownCall {
  readonly call: RehearsedCall
  readonly given: Given | null
}

/**
 * Gives the recorded answers of a run to another playbook. Finds them by skill, connection and
 * input, or else by skill and input. If the run made the same call several times, the first call
 * gets the first answer, and so on. All later calls get the last answer.
 */
export class AnswersByInput implements Answers {
  /** Reads that have no recorded answer. */
  readonly missing: RehearsedCall[] = []
  readonly #known: ReadonlyMap<string, readonly KnownCall[]>
  readonly #anywhere: ReadonlyMap<string, readonly KnownCall[]>
  readonly #given: ReadonlyMap<string, Given | null>
  readonly #asked = new Map<string, number>()

  /** @param given the recorded answers by step address; null if the run still waits for the answer */
  constructor(own: Rehearsed, given: ReadonlyMap<string, Given | null>) {
    const known = [...own.calls.filter((call) => call.try === 1), ...own.unanswered].map((call) => ({ call, given: given.get(call.step) ?? null }))
    this.#given = given
    this.#known = Map.groupBy(known, ({ call }) => keyOf(call))
    this.#anywhere = Map.groupBy(known, ({ call }) => canonical([call.skill, call.input]))
  }

  answer(asked: Asked): Given | null {
    const { skill, step, impact, connection, input } = asked
    const call: RehearsedCall = { step, skill, impact, connection, input }
    const key = this.#known.has(keyOf(call)) ? keyOf(call) : canonical([skill, input])
    const list = this.#known.get(key) ?? this.#anywhere.get(key)
    if (!list) {
      // Writes without a recorded answer are new or changed, and are reported as that.
      if (asked.try === 1 && impact === 'read') this.missing.push(call)
      // A call that was changed takes as long as the recorded one.
      const arrives = this.#given.get(step)?.arrives
      return { kind: 'output', output: generatedValue(asked.known.document.output, 'all'), ...(arrives && { arrives }) }
    }
    // A retry of the same step gets the same answer.
    const number = (this.#asked.get(key) ?? 0) - (asked.try > 1 ? 1 : 0)
    this.#asked.set(key, number + 1)
    return (list[number] ?? list.at(-1))?.given ?? null
  }

  verify(): null {
    return null
  }
}

function keyOf({ skill, connection, input }: RehearsedCall): string {
  return canonical([skill, connection, input])
}
