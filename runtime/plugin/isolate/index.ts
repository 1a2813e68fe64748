/**
 * Runs code of plugins and playbooks in V8 isolates, in separate processes, with limits on memory,
 * CPU and time. `pool.ts` distributes calls to the processes. `child.ts` runs in them. `prelude.ts`
 * runs in the isolate before the handler.
 */
export { createIsolates, type Isolates } from './pool.ts'
