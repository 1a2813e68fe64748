import type { TextLimits } from './excess.ts'

/** The variable of a script that holds the exports of its file. */
export const bundleGlobal = '__tocsin_handler'

/**
 * Limits for an ask of a handler, and for the result of a call. Parsing a text of this size
 * blocks the event loop for some tens of milliseconds. A list of 250,000 values takes about as long
 * as an object of 20,000 fields.
 */
export const mostText: TextLimits = { characters: 16 * 1024 * 1024, values: 250_000, names: 20_000 }

/**
 * Exit codes of the process: an isolate broke, or the process used more memory than all its calls
 * may have.
 */
export const [brokenExit, memoryExit] = [70, 71]

/**
 * Limits for what one call may send to the runtime. The isolate process enforces them, so that
 * larger messages never reach the runtime.
 */
export interface SayLimits {
  /** For the text of its result, and for the text of each ask. */
  readonly text: TextLimits
  /** How often it may ask the host for something. 0: none, and its console output is dropped. */
  readonly asks: number
}

/**
 * The messages between the runtime and the isolate process. Bodies are JSON that may come from a
 * handler's code. They are passed on unread, and whoever reads them must check them.
 */
export type ToIsolates =
  | {
      readonly kind: 'run'
      readonly call: number
      readonly digest: string
      /** The bundle's script. Absent if the process already has it. */
      readonly script?: string
      /** The memory limit, in mebibytes. */
      readonly memory: number
      readonly start: string
      readonly limits: SayLimits
    }
  | { readonly kind: 'reply'; readonly call: number; readonly ask: number; readonly body: string }
  | { readonly kind: 'stop'; readonly call: number }

export type FromIsolates =
  /** The call's code starts now, and so does its time. */
  | { readonly kind: 'begun'; readonly call: number }
  | { readonly kind: 'ask'; readonly call: number; readonly ask: number; readonly op: string; readonly body: string }
  | { readonly kind: 'ended'; readonly call: number; readonly end: IsolateEnd }

/** How a call in an isolate ended. */
export type IsolateEnd =
  /** The handler ended. `body` says how (see `prelude.ts`). */
  | { readonly kind: 'finished'; readonly body: string }
  /** Its code could not be run, or broke the code around it. */
  | { readonly kind: 'broken'; readonly message: string }
  /** It sent more than its limits allow. */
  | { readonly kind: 'excess'; readonly message: string }
  /** It used too much memory. */
  | { readonly kind: 'memory' }
  /** It was stopped from outside. */
  | { readonly kind: 'stopped' }
  /** Its isolate process died, and this call may be the cause. */
  | { readonly kind: 'died' }
  /** Its process was killed because another call in it could not be stopped. This call must start again. */
  | { readonly kind: 'displaced' }
  /** No slot was free in time, so it has not started. */
  | { readonly kind: 'busy' }
