import { InvalidArgumentError } from 'commander'

/** Parses a whole number. @throws InvalidArgumentError */
export function count(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Parses an option that may be repeated: adds the value to those before. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}
