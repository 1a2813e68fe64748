import { TocsinError } from '../../../errors/index.ts'
import type { ApiContext } from '../../context.ts'

/** The longest time that the replay of a run may take for one answer. */
const patience = 60_000

/**
 * Returns a function that runs the replay of a run, and aborts it if it takes too long or the process stops.
 * It throws TocsinError `run_takes_too_long` and `not_ready`.
 */
export function patientWork(context: ApiContext): <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T> {
  return async (work) => {
    const tired = new AbortController()
    const cancel = context.services.clock.after(patience, () => tired.abort())
    try {
      return await work(AbortSignal.any([tired.signal, context.closing]))
    } catch (error) {
      if (error === context.closing.reason) throw new TocsinError('not_ready', 'This process stops.', [], { cause: error })
      if (!tired.signal.aborted) throw error
      throw new TocsinError('run_takes_too_long', `The replay of the run took longer than ${patience / 1_000} s.`, [], { cause: error })
    } finally {
      cancel()
    }
  }
}
