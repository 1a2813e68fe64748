import type { HandlerHost } from '../../call/call-host.ts'
import type { Ask } from './asks.ts'

/** The most characters in a log line's message, and in its fields. */
const [maxLine, maxFields] = [1_000, 4_000]
/** The most log lines of a call. */
const maxLines = 1_000

/** Writes a handler's log lines, within limits. */
export class LogLines {
  readonly #log: HandlerHost['log']
  #lines = 0

  constructor(log: HandlerHost['log']) {
    this.#log = log
  }

  write({ level, message, fields }: Extract<Ask, { op: 'log' }>['body']): void {
    this.#lines += 1
    if (this.#lines === maxLines + 1) this.#log('warn', `the handler has logged ${maxLines} lines; further lines are left out`, {})
    if (this.#lines > maxLines) return
    const { length } = JSON.stringify(fields)
    this.#log(level, message.slice(0, maxLine), length > maxFields ? { left_out: `fields of ${length} characters` } : fields)
  }
}
