import type { Clock, Connection } from '../../domain/index.ts'
import type { CallFailure, Plugin, Skill } from '../../plugin/index.ts'
import { BoundedWarnings, type Logger } from '../../telemetry/index.ts'
import { type CodeOf, FailureLog } from './failure-log.ts'

/**
 * How many warnings are remembered as already logged. Beyond that the oldest are forgotten, and may
 * be logged again.
 */
const mostTold = 5_000
/** How many lines per minute report manual writes in doubt. */
const doubtsInMinute = 60
const longestTarget = 200

/** Logs what operators should know about calls to external systems. */
export class CallLog {
  readonly #logger: Logger
  readonly #doubts: BoundedWarnings
  readonly #told = new Set<string>()

  /** Reports external systems that fail, and their recovery. */
  readonly failures: FailureLog

  /** @param codeOf finds the code of an organization for a log line */
  constructor(logger: Logger, clock: Clock, codeOf: CodeOf = async () => null) {
    this.#logger = logger
    this.failures = new FailureLog(logger, clock, codeOf)
    this.#doubts = new BoundedWarnings(logger, clock, doubtsInMinute, 'more manual writes are in doubt than are logged one by one')
  }

  /** Logs a manual write that was sent and may or may not have happened. */
  inDoubt({ organization, instance }: Connection, skill: string, targets: readonly string[], { code, message }: CallFailure): void {
    const target = targets.length === 0 ? null : targets.join(',').slice(0, longestTarget)
    this.#doubts.warn({ organization, connection: instance, skill, target, code, error: message }, 'a manual write is in doubt')
  }

  /**
   * Logs an answer that does not match its skill's schema: once for each field, skill and
   * connection in the life of the process.
   */
  odd({ id, instance, organization }: Connection, plugin: Plugin, skill: Skill, warnings: readonly string[]): void {
    const fresh = warnings.filter((warning) => this.#isNew(`${id} ${plugin.digest} ${skill.id} ${warning}`))
    if (fresh.length === 0) return
    const what = { organization, connection: instance, skill: `${plugin.id}.${skill.id}`, warnings: fresh }
    this.#logger.warn(what, 'an answer does not match its schema; it is passed on unchanged')
  }

  #isNew(key: string): boolean {
    if (this.#told.has(key)) return false
    const [oldest] = this.#told
    if (this.#told.size >= mostTold && oldest !== undefined) this.#told.delete(oldest)
    this.#told.add(key)
    return true
  }
}
