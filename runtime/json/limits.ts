/** Limits for a JSON text. */
export interface JsonLimits {
  /** How deep lists and objects may be nested. */
  readonly levels: number
  /** How many values the whole text may have. An empty list or object counts as two. */
  readonly values: number
  /** How many fields one object may have. */
  readonly names: number
}

export type JsonFault = 'syntax' | 'levels' | 'values' | 'names' | 'repeated'

/** A text was refused: it is not JSON, or it exceeds the limits. */
export class JsonRefused extends Error {
  override readonly name = 'JsonRefused'
  readonly fault: JsonFault
  /** The position of the problem in characters, from 0. Null: not known. */
  readonly at: number | null

  constructor(fault: JsonFault, message: string, at: number | null) {
    super(message)
    this.fault = fault
    this.at = at
  }
}

export function tooDeep(limits: JsonLimits, at: number): JsonRefused {
  return new JsonRefused('levels', `has more than ${limits.levels} objects or lists inside one another`, at)
}

export function tooMany(limits: JsonLimits, at: number): JsonRefused {
  return new JsonRefused('values', `has more than ${limits.values.toLocaleString('en')} values`, at)
}

export function tooManyNames(limits: JsonLimits, at: number | null): JsonRefused {
  return new JsonRefused('names', `has an object with more than ${limits.names.toLocaleString('en')} fields`, at)
}
