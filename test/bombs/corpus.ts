import type { Bomb } from './bomb.ts'
import { alerts } from './families/alerts.ts'
import { answers } from './families/answers.ts'
import { bodies } from './families/bodies.ts'
import { conditions } from './families/conditions.ts'
import { looks } from './families/looks.ts'
import { patterns } from './families/patterns.ts'
import { runs, scripts, structures } from './families/playbooks.ts'
import { reads } from './families/reads.ts'
import { schemas } from './families/schemas.ts'
import { templates } from './families/templates.ts'
import { texts } from './families/texts.ts'

/** Every bomb. A family is a file in `families/` and a line here. */
export const corpus: readonly Bomb[] = [
  ...alerts,
  ...answers,
  ...bodies,
  ...conditions,
  ...looks,
  ...patterns,
  ...reads,
  ...runs,
  ...schemas,
  ...scripts,
  ...structures,
  ...templates,
  ...texts,
]
