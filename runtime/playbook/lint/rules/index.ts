import type { Rule } from '../rule.ts'
import { approvals } from './calls/approvals.ts'
import { budget } from './calls/budget.ts'
import { connections } from './calls/connections.ts'
import { failures } from './calls/failures.ts'
import { limits } from './calls/limits.ts'
import { polling } from './calls/polling.ts'
import { reach } from './steps/reach.ts'
import { scripts } from './steps/scripts.ts'
import { unused } from './steps/unused.ts'
import { injection } from './texts/injection.ts'
import { lookalikes } from './texts/lookalikes.ts'
import { patterns } from './texts/patterns.ts'
import { scalars } from './texts/scalars.ts'
import { secrets } from './texts/secrets.ts'
import { templates } from './texts/templates.ts'
import { jointInputs } from './types/joint-inputs.ts'
import { presence } from './types/presence.ts'
import { skillInputs } from './types/skill-inputs.ts'
import { subInputs } from './types/sub-inputs.ts'
import { types } from './types/types.ts'
import { values } from './types/values.ts'

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
