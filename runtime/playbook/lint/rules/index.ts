import type { Rule } from '../rule.ts'
import { presence } from './presence.ts'
import { reach } from './reach.ts'

/** Every rule there is; a new one is a file here and a line. */
export const rules: readonly Rule[] = [presence, reach]
