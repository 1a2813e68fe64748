/**
 * A process that checks the texts of tenants, so that they do not use time and memory of the runtime. It gets no environment and no
 * secrets. Node's permission model lets it read only its own code and the compile cache.
 */
import '../own-imports.js'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { serve } from '../subprocess/index.ts'
import { cache } from './cache.ts'
import type { CheckTask } from './protocol.ts'

enableCompileCache(fileURLToPath(cache))
// A static import would run before the compile cache is on.
const { answerTo } = await import('./answer.ts')
serve((task) => answerTo(task as CheckTask))
