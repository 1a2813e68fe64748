/** Every finding code there is, one file a subject. */

import { care } from './care.ts'
import { document } from './document.ts'
import { expressions } from './expressions.ts'
import { files } from './files.ts'
import { flow } from './flow.ts'
import { names } from './names.ts'
import { scripts } from './scripts.ts'
import { skills } from './skills.ts'
import { steps } from './steps.ts'
import { subPlaybooks } from './sub-playbooks.ts'
import { texts } from './texts.ts'
import { types } from './types.ts'
import { waits } from './waits.ts'

/**
 * Every code there is, by what it is about. docs/reference/lint/ is generated from this and held equal by a test; another test finds each
 * code in its wrong example, and nothing in its right one.
 */
export const findingRegistry = {
  ...document,
  ...names,
  ...expressions,
  ...skills,
  ...steps,
  ...scripts,
  ...subPlaybooks,
  ...waits,
  ...flow,
  ...texts,
  ...care,
  ...types,
  ...files,
} as const

export type FindingCode = keyof typeof findingRegistry
