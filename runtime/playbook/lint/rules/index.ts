import type { Rule } from '../rule.ts'
import { approvals, budget, connections, failures, limits, polling } from './calls/index.ts'
import { reach, scripts, unused } from './steps/index.ts'
import { injection, lookalikes, patterns, scalars, secrets, templates } from './texts/index.ts'
import { jointInputs, presence, skillInputs, subInputs, types, values } from './types/index.ts'

/** Every rule there is; a new one is a file here and a line. */
export const rules: readonly Rule[] = [
  presence,
  reach,
  injection,
  secrets,
  scripts,
  lookalikes,
  templates,
  scalars,
  patterns,
  unused,
  connections,
  limits,
  failures,
  polling,
  approvals,
  types,
  skillInputs,
  jointInputs,
  subInputs,
  values,
  budget,
]
