import { systemClock } from '../../config/index.ts'
import { createIsolates, createScripts, type Scripts } from '../../plugin/index.ts'

/** Scripts are run in rehearsals, too: they are functions of their arguments. Real time bounds them; their process begins with the first and goes with this one. */
export const scripts: Scripts = createScripts(createIsolates({ calls: 2, processes: 1 }, systemClock), systemClock)
