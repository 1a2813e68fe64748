import type { Millis } from '../../../runtime/domain/index.ts'
import type { Random } from '../../support/seeded.ts'
import type { DemoClock } from '../clock.ts'
import type { Systems } from '../systems.ts'
import type { Actors } from './set-up.ts'

/** State that the acts of the week share. */
export interface Week extends Actors {
  readonly clock: DemoClock
  readonly systems: Systems
  readonly random: Random
  readonly end: Millis
  /** The decisions that were answered, or whose run was cancelled. They may stay open for a moment. */
  readonly answered: Set<string>
  /** Plans an act. One that is due after the end of the week does not happen. */
  readonly plan: (at: Millis, act: () => Promise<void>) => void
}
