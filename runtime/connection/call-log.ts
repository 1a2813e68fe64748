import type { Connection } from '../domain/index.ts'
import type { Plugin, Skill } from '../plugin/index.ts'
import type { Logger } from '../telemetry/index.ts'

/** What was told is remembered for so many kinds of oddity; beyond that the oldest are told again. */
const mostTold = 5_000

/** What the log hears of calls to external systems. */
export class CallLog {
  readonly #logger: Logger
  readonly #told = new Set<string>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** An answer is not as its skill's schema says: told of each field of a skill and connection once in the life of the process. */
  odd({ id, instance, organization }: Connection, plugin: Plugin, skill: Skill, warnings: readonly string[]): void {
    const fresh = warnings.filter((warning) => this.#isNew(`${id} ${plugin.digest} ${skill.id} ${warning}`))
    if (fresh.length === 0) return
    const what = { organization, connection: instance, skill: `${plugin.id}.${skill.id}`, warnings: fresh }
    this.#logger.warn(what, 'an answer is odd; it is passed on as it came')
  }

  #isNew(key: string): boolean {
    if (this.#told.has(key)) return false
    const [oldest] = this.#told
    if (this.#told.size >= mostTold && oldest !== undefined) this.#told.delete(oldest)
    this.#told.add(key)
    return true
  }
}
