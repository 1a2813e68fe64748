/** What the text of a JSON value may be made of. */
export interface JsonLimits {
  /** Lists and objects inside one another. */
  readonly levels: number
  /** Values of the whole text. An empty list or object counts as two. */
  readonly values: number
  /** Names of one object. */
  readonly names: number
}

export type JsonFault = 'syntax' | 'levels' | 'values' | 'names' | 'repeated'

/** A text that is not read: it is no JSON, or more than the limits allow. */
export class JsonRefused extends Error {
  override readonly name = 'JsonRefused'
  readonly fault: JsonFault
  /** The character where it shows, from 0; null where nobody knows. */
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
