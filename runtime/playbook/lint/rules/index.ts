import type { Rule } from '../rule.ts'
import { approvals } from './approvals.ts'
import { budget } from './budget.ts'
import { connections } from './connections.ts'
import { failures } from './failures.ts'
import { injection } from './injection.ts'
import { jointInputs } from './joint-inputs.ts'
import { limits } from './limits.ts'
import { lookalikes } from './lookalikes.ts'
import { patterns } from './patterns.ts'
import { polling } from './polling.ts'
import { presence } from './presence.ts'
import { reach } from './reach.ts'
import { scalars } from './scalars.ts'
import { scripts } from './scripts.ts'
import { secrets } from './secrets.ts'
import { skillInputs } from './skill-inputs.ts'
import { subInputs } from './sub-inputs.ts'
import { templates } from './templates.ts'
import { types } from './types.ts'
import { unused } from './unused.ts'
import { values } from './values.ts'

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
