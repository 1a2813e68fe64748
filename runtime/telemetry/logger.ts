import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { describeError, maskSecrets, scrubLine } from './redact.ts'

export type { Logger } from 'pino'

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

export interface LoggerSettings {
  readonly level: LogLevel
  /** Where the lines go; standard output when absent. */
  readonly destination?: DestinationStream
}

/**
 * A logger of JSON lines that cannot give a secret away: values under telling names (`authorization`, `client_secret`, …) are
 * masked at any depth, errors are cut to name, code, message and stack, and API keys and bearer tokens are cut out of texts.
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
