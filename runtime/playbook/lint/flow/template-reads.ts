import type { Choice, OutlinePart, OutlineRead } from '../../../expressions/index.ts'
import { assume } from './assume.ts'
import type { State } from './state.ts'

/** Works out a state when it is first needed: most tests of a template decide about nothing that may be missing. */
type Known = () => State

/** A path that a template reads, and the state in which it does. */
export interface TemplateRead extends OutlineRead {
  readonly state: Known
}

/**
 * Yields every read of a template. In a branch, the result of its test is known.
 * @param isBoolean whether the value at a path is a boolean if it is there and not null
 */
export function templateReads(
  parts: readonly OutlinePart[],
  state: State,
  isBoolean: (path: readonly string[], state: State) => boolean,
): Generator<TemplateRead, unknown> {
  return new TemplateWalk(isBoolean).parts(parts, () => state)
}

class TemplateWalk {
  readonly #isBoolean: (path: readonly string[], state: State) => boolean

  constructor(isBoolean: (path: readonly string[], state: State) => boolean) {
    this.#isBoolean = isBoolean
  }

  /** Returns what is known after the parts. Null: the template, or the round of a loop, ends before. */
  *parts(parts: readonly OutlinePart[], before: Known): Generator<TemplateRead, Known | null> {
    let known = before
    for (const part of parts) {
      if (part.kind === 'ends') return null
      if (part.kind === 'read') yield { ...part, state: known }
      if (part.kind === 'loop') {
        yield* this.parts(part.body, known)
        yield* this.parts(part.otherwise, known)
      }
      const after = part.kind === 'choice' ? yield* this.#choice(part, known) : known
      if (after === null) return null
      known = after
    }
    return known
  }

  /** Rendering changes nothing that is known. So afterwards as much is known as before, and that no branch was taken which ends the template. */
  *#choice({ branches, otherwise, several }: Choice, before: Known): Generator<TemplateRead, Known | null> {
    let undecided = before
    let after = before
    const ends: (Known | null)[] = []
    for (const { reads, test, body } of branches) {
      const at = several ? before : undecided
      for (const read of reads) yield { ...read, state: at }
      const end = yield* this.parts(body, this.#assumed(at, test, true))
      ends.push(end)
      if (end === null) after = this.#assumed(after, test, false)
      undecided = this.#assumed(undecided, test, false)
    }
    ends.push(yield* this.parts(otherwise, undecided))
    const open = ends.filter((end) => end !== null)
    return several ? after : open.length === ends.length ? before : open.length === 1 ? (open[0] ?? null) : open.length === 0 ? null : before
  }

  #assumed(known: Known, test: OutlineTest, truth: boolean): Known {
    let state: State | undefined
    return () => {
      if (state === undefined) {
        const before = known()
        state = assume(
          before,
          test((path) => this.#isBoolean(path, before)),
          truth,
        )
      }
      return state
    }
  }
}

type OutlineTest = Choice['branches'][number]['test']
