import type { HandlerHost } from '../../call/call-host.ts'
import type { Ask } from './asks.ts'

/** Characters of a line's message, and of its fields. */
const [maxLine, maxFields] = [1_000, 4_000]
/** Lines of a call. */
const maxLines = 1_000

/** What a handler says in the log, within bounds. */
export class LogLines {
  readonly #log: HandlerHost['log']
  #lines = 0

  constructor(log: HandlerHost['log']) {
    this.#log = log
  }

  write({ level, message, fields }: Extract<Ask, { op: 'log' }>['body']): void {
    this.#lines += 1
    if (this.#lines === maxLines + 1) this.#log('warn', `the handler's lines beyond ${maxLines} are left out`, {})
    if (this.#lines > maxLines) return
    const { length } = JSON.stringify(fields)
    this.#log(level, message.slice(0, maxLine), length > maxFields ? { left_out: `fields of ${length} characters` } : fields)
  }
}
