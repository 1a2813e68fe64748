import { InvalidArgumentError } from 'commander'

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

/** Parses an option that may be repeated: adds the value to those before. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}
