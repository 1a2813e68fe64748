/** Characters of what a handler asks for, and of what it ends with. */
export const mostCharacters = 16 * 1024 * 1024

/** With what the process ends when an isolate broke, and when there is more in memory than all calls together may have. */
export const [brokenExit, memoryExit] = [70, 71]

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
    }
  | { readonly kind: 'reply'; readonly call: number; readonly ask: number; readonly body: string }
  | { readonly kind: 'stop'; readonly call: number }

export type FromIsolates =
  | { readonly kind: 'ask'; readonly call: number; readonly ask: number; readonly op: string; readonly body: string }
  | { readonly kind: 'ended'; readonly call: number; readonly end: IsolateEnd }

/** How a call in an isolate ended. */
export type IsolateEnd =
  /** The handler came to its end; `body` says how, see `prelude.ts`. */
  | { readonly kind: 'finished'; readonly body: string }
  /** Its code could not be run at all, or broke what surrounds it. */
  | { readonly kind: 'broken'; readonly message: string }
  /** It wanted more memory than it may have. */
  | { readonly kind: 'memory' }
  /** It was told to stop. */
  | { readonly kind: 'stopped' }
  /** The process of the isolates ended under it. */
  | { readonly kind: 'died' }
