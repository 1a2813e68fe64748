/** The codes that the compiler reports, one file for each subject. Lint rules hold their own codes. */
import { findingsOf } from '../../findings/index.ts'
import { document } from './document.ts'
import { expressions } from './expressions.ts'
import { names } from './names.ts'
import { scripts } from './scripts.ts'
import { skills } from './skills.ts'
import { steps } from './steps.ts'
import { subPlaybooks } from './sub-playbooks.ts'
import { waits } from './waits.ts'

export const compilerCodes = {
  ...document,
  ...names,
  ...expressions,
  ...skills,
  ...steps,
  ...scripts,
  ...subPlaybooks,
  ...waits,
} as const

export type CompilerCode = keyof typeof compilerCodes

export const compilerFinding = findingsOf<CompilerCode>(compilerCodes)
