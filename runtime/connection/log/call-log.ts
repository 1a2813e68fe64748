import type { Clock, Connection } from '../../domain/index.ts'
import type { CallFailure, Plugin, Skill } from '../../plugin/index.ts'
import { BoundedWarnings, type Logger } from '../../telemetry/index.ts'
import { type CodeOf, FailureLog } from './failure-log.ts'

/** What was told is remembered for so many kinds of oddity; beyond that the oldest are told again. */
const mostTold = 5_000
/** Writes by hand. */
const doubtsInMinute = 60
const longestTarget = 200

/** What the log hears of calls to external systems. */
export class CallLog {
  readonly #logger: Logger
  readonly #doubts: BoundedWarnings
  readonly #told = new Set<string>()

  /** When external systems fail, and when that is over. */
  readonly failures: FailureLog

  /** @param codeOf finds the code of an organization for a line */
  constructor(logger: Logger, clock: Clock, codeOf: CodeOf = async () => null) {
    this.#logger = logger
    this.failures = new FailureLog(logger, clock, codeOf)
    this.#doubts = new BoundedWarnings(logger, clock, doubtsInMinute, 'more writes by hand are in doubt than are told one by one')
  }

  /** A write by hand was sent, and nobody knows whether it happened. */
  inDoubt({ organization, instance }: Connection, skill: string, targets: readonly string[], { code, message }: CallFailure): void {
    const target = targets.length === 0 ? null : targets.join(',').slice(0, longestTarget)
    this.#doubts.warn({ organization, connection: instance, skill, target, code, error: message }, 'a write by hand is in doubt')
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
