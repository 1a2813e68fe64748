import type { Bomb } from './bomb.ts'
import { bodies } from './families/bodies.ts'
import { conditions } from './families/conditions.ts'
import { templates } from './families/templates.ts'

/** Every bomb. A family is a file in `families/` and a line here. */
export const corpus: readonly Bomb[] = [...bodies, ...conditions, ...templates]
