import { callers } from './callers.ts'
import { calls } from './calls.ts'
import { files } from './files.ts'
import { installation } from './installation.ts'
import { requests } from './requests.ts'
import { runs } from './runs.ts'
import { things } from './things.ts'
import { undo } from './undo.ts'

export type { ErrorEntry } from './entry.ts'

/** Every code there is, by what it is about. docs/reference/errors.md is generated from this and held equal by a test. */
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
