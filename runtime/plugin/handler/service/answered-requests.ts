import type { SkillAnswer } from '../../answer/skill-answer.ts'
import type { AnsweredRequest } from '../../call/call-result.ts'

/** How many requests are kept, and how many characters of JSON their bodies may have together. */
const [mostKept, mostCharacters] = [100, 256 * 1024]

/** The answered writes of one handler call, to report if the call fails later. */
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

  /** How many writes were answered. */
  get count(): number {
    return this.#count
  }

  /** The writes that are kept: the first ones. */
  get list(): readonly AnsweredRequest[] {
    return this.#kept
  }
}
