import { setTimeout as lasting } from 'node:timers/promises'
import type { Random } from '../../support/seeded.ts'

/** A fault that is repaired again. */
export interface Fault {
  readonly name: string
  befall(random: Random): Promise<void>
}

/** The longest cut, in milliseconds. */
export const longest = 3_000

/** Breaks something for a while. The storm decides how long. */
export async function broken(random: Random, one: { readonly breaks: () => void; readonly mends: () => void }): Promise<void> {
  one.breaks()
  await lasting(random(longest))
  one.mends()
}
