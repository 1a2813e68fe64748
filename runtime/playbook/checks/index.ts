/**
 * Checks of playbook texts as tasks. `runtime/checks/` runs them in other processes; `local.ts`
 * runs them in this one.
 */
export { localChecks } from './local.ts'
export type { LookingNeeds } from './looking.ts'
export { Outlines } from './outlines.ts'
export type { PlaybookChecks, TaskInput, TaskName, TaskOutput, Work } from './port.ts'
export type { DrawnPlaybook, Examination } from './tasks.ts'
