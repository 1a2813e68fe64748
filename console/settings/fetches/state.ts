import type { FetchAnswer } from '../../../runtime/api/index.ts'

/** Whether a fetch works. `problem` says why not. */
export interface FetchState {
  readonly name: string
  readonly colour: string
  readonly problem: string | null
}

/** Says whether a fetch works, as far as its last attempt tells. */
export function stateOf({ enabled, last_attempt: last }: FetchAnswer): FetchState {
  if (!enabled) return { name: 'Disabled', colour: 'gray', problem: null }
  if (last === null) return { name: 'New', colour: 'blue', problem: null }
  if (last.failure === null) return { name: 'Works', colour: 'teal', problem: null }
  return { name: 'Fails', colour: 'red', problem: last.failure.message }
}
