import type { SkillAnswer } from '../../answer/skill-answer.ts'
import type { AnsweredRequest } from '../../call/call-result.ts'

/** Requests that are kept, and characters of their bodies' JSON in all. */
const [mostKept, mostCharacters] = [100, 256 * 1024]

/** The writes of one call of a handler that were answered: what is known of it, should it fail later. */
export class AnsweredRequests {
  readonly #kept: AnsweredRequest[] = []
  #characters = 0
  #count = 0

  add(request: string, { status, body }: SkillAnswer): void {
    this.#count += 1
    if (this.#kept.length >= mostKept) return
    this.#characters += JSON.stringify(body).length
    this.#kept.push({ request, status, body: this.#characters > mostCharacters ? null : body })
  }

  /** How many there were. */
  get count(): number {
    return this.#count
  }

  /** The first of them. */
  get list(): readonly AnsweredRequest[] {
    return this.#kept
  }
}
