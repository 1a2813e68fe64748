import type { TextLimits } from './excess.ts'

/**
 * Of what a handler asks for, and of what a call ends with. Reading such a text takes the runtime's event loop some tens of milliseconds:
 * a list of 250,000 values about as long as an object of 20,000 fields.
 */
export const mostText: TextLimits = { characters: 16 * 1024 * 1024, values: 250_000, names: 20_000 }

/** With what the process ends when an isolate broke, and when there is more in memory than all calls together may have. */
export const [brokenExit, memoryExit] = [70, 71]

/** What one call may say to the runtime. The process of the isolates keeps it to that, so that nothing beyond it reaches the runtime. */
export interface SayLimits {
  /** Of the text that it ends with, and of each that it asks with. */
  readonly text: TextLimits
  /** How often it may ask for something; 0: it has nobody to ask, and what it says (to its console) is dropped. */
  readonly asks: number
}

/**
 * What the runtime and the process of the isolates say to each other. Bodies are JSON texts: they pass through unread, and whoever
 * reads one checks it, for a handler's code may have made it.
 */
export type ToIsolates =
  | {
      readonly kind: 'run'
      readonly call: number
      readonly digest: string
      /** The bundle's script; absent when this process has had it already. */
      readonly script?: string
      /** Mebibytes. */
      readonly memory: number
      readonly start: string
      readonly limits: SayLimits
    }
  | { readonly kind: 'reply'; readonly call: number; readonly ask: number; readonly body: string }
  | { readonly kind: 'stop'; readonly call: number }

export type FromIsolates =
  /** The call's own code begins now: its time counts from here. */
  | { readonly kind: 'begun'; readonly call: number }
  | { readonly kind: 'ask'; readonly call: number; readonly ask: number; readonly op: string; readonly body: string }
  | { readonly kind: 'ended'; readonly call: number; readonly end: IsolateEnd }

/** How a call in an isolate ended. */
export type IsolateEnd =
  /** The handler came to its end; `body` says how, see `prelude.ts`. */
  | { readonly kind: 'finished'; readonly body: string }
  /** Its code could not be run at all, or broke what surrounds it. */
  | { readonly kind: 'broken'; readonly message: string }
  /** It said more than its limits allow. */
  | { readonly kind: 'excess'; readonly message: string }
  /** It wanted more memory than it may have. */
  | { readonly kind: 'memory' }
  /** It was told to stop. */
  | { readonly kind: 'stopped' }
  /** The process of the isolates ended under it, and it may be why. */
  | { readonly kind: 'died' }
  /** The process was ended because another call in it could not be stopped: this one is to begin again. */
  | { readonly kind: 'displaced' }
  /** No slot was free in time; it has not begun. */
  | { readonly kind: 'busy' }
