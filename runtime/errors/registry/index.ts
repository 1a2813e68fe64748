/** The entries of all errors, by subject: status, title, cause and remedy. */

import { callers } from './callers.ts'
import { calls } from './calls.ts'
import { files } from './files.ts'
import { installation } from './installation.ts'
import { requests } from './requests.ts'
import { runs } from './runs.ts'
import { things } from './things.ts'
import { undo } from './undo.ts'

export type { ErrorEntry } from './entry.ts'

/** All error codes. docs/reference/errors.md is generated from them, and a test checks that it is up to date. */
export const registry = {
  ...requests,
  ...callers,
  ...things,
  ...files,
  ...runs,
  ...undo,
  ...calls,
  ...installation,
} as const

export type ErrorCode = keyof typeof registry
