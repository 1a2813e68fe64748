/**
 * A process that checks the texts that tenants send: whatever that costs, it is not the runtime's time and memory. It has no environment,
 * no secret, and by Node's permission model no files but its own code and what Node compiles of it.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { serve } from '../subprocess/index.ts'
import { cache } from './cache.ts'
import type { CheckTask } from './protocol.ts'

enableCompileCache(fileURLToPath(cache))
// Not above: imports come before everything else, and would be compiled without it.
const { answerTo } = await import('./answer.ts')
serve((task) => answerTo(task as CheckTask))
