import { systemClock } from '../../config/index.ts'
import { createIsolates, createScripts, type Scripts } from '../../plugin/index.ts'
import type { JumpingClock } from './jumping-clock.ts'

/**
 * Runs scripts in rehearsals as in runs, because they are functions of their arguments. Real time
 * limits them. Their process starts with the first script and ends with this process.
 */
export const scripts: Scripts = createScripts(createIsolates({ calls: 2, processes: 1 }, systemClock), systemClock)

/** Makes a rehearsal's clock stand still while a script runs. A script takes no time of the rehearsal. */
export function stillDuring(real: Scripts, clock: JumpingClock): Scripts {
  return { run: (script) => clock.during(() => real.run(script)) }
}
