import { InvalidArgumentError } from 'commander'
import { systemClock } from '../config/index.ts'
import { isoTime } from '../formats/index.ts'

/** Parses a whole number. @throws InvalidArgumentError */
export function count(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Parses the port of a server that runs. @throws InvalidArgumentError */
export function portNumber(text: string): number {
  const port = count(text)
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('It must be a port number, 1 to 65535.')
  return port
}

/** Parses a time in ISO 8601, which is UTC without a zone. @returns epoch milliseconds @throws InvalidArgumentError */
export function moment(text: string): number {
  const time = isoTime(text)
  if (time === undefined) throw new InvalidArgumentError('It must be a time such as 2026-11-28T06:00:00Z, or a day such as 2026-11-28.')
  return time
}

/** Returns the epoch milliseconds of the time that many days ago. */
export function daysAgo(days: number): number {
  return systemClock.now() - days * 86_400_000
}

/** Parses an option that may be repeated: adds the value to those before. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}
