import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { describeError, maskSecrets, scrubLine } from './redact.ts'

export type { Logger } from 'pino'

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

export interface LoggerSettings {
  readonly level: LogLevel
  /** Where the lines go. Absent: standard output. */
  readonly destination?: DestinationStream
}

/**
 * Creates a logger of JSON lines that gives no secret away. Values under names of secrets (`authorization`,
 * `client_secret`, …) are masked at any depth. Errors are reduced to name, code, message and stack. API keys
 * and bearer tokens are removed from texts.
 */
export function createLogger(settings: LoggerSettings): Logger {
  const options: LoggerOptions = {
    level: settings.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: maskSecrets,
    },
    serializers: { err: describeError },
    hooks: { streamWrite: scrubLine },
  }
  return settings.destination === undefined ? pino(options) : pino(options, settings.destination)
}
