import { InvalidArgumentError } from 'commander'

/** How a whole number is read from the command line. */
export function count(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** For an option that may be repeated. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}
