import { type ErrorCode, type ErrorEntry, registry } from './registry/index.ts'

/** One named place that is wrong: a field's path, or a file's line and column. */
export interface ErrorPlace {
  /** Dotted path of a field (`alert_content`, `items.3.alert_type`), or of a key in a file. */
  readonly field: string
  readonly message: string
  /** The kind of mistake, if docs/reference/lint/ has a page for it. */
  readonly code?: string
  readonly file?: string
  /** The line, from 1. */
  readonly line?: number
  readonly column?: number
}

export interface TocsinErrorOptions extends ErrorOptions {
  /** A remedy for this occurrence, if it can say more than the registry's remedy for the code. */
  readonly remedy?: string
}

/** An error that a person can meet: a code of the registry, and details of this occurrence. Never contains a secret. */
export class TocsinError extends Error {
  override readonly name = 'TocsinError'
  readonly code: ErrorCode
  readonly places: readonly ErrorPlace[]
  readonly remedy: string

  constructor(code: ErrorCode, detail: string, places: readonly ErrorPlace[] = [], options: TocsinErrorOptions = {}) {
    super(detail, options)
    this.code = code
    this.places = places
    this.remedy = options.remedy ?? registry[code].remedy
  }

  get entry(): ErrorEntry {
    return registry[this.code]
  }
}

/** Returns whether something that was thrown is an error of the registry. */
export function isTocsinError(error: unknown): error is TocsinError {
  return error instanceof TocsinError
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
