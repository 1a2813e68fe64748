import type { Millis } from '../../../runtime/domain/index.ts'
import { ManualClock } from './manual-clock.ts'

/** A clock on which sleeping takes no real time: it moves forward at once by the time slept. */
export class SleeplessClock extends ManualClock {
  readonly slept: Millis[] = []

  override async sleep(delay: Millis, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw signal.reason
    this.slept.push(delay)
    this.advance(delay)
  }
}
