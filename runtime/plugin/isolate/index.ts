/**
 * Where code of plugins and playbooks runs: in isolates of V8, in processes of their own, with limits on memory, CPU and time. `pool.ts` shares
 * out the processes; `child.ts` is what runs in them, and `prelude.ts` what runs in the isolate before the handler.
 */
export { createIsolates, type Isolates } from './pool.ts'
