import { GivenUp } from './signals.ts'

/** @throws GivenUp if this process stops, or has lost its session */
export function checkAlive(signal: AbortSignal): void {
  if (signal.aborted) throw new GivenUp('the process stops or lost its session')
}
