import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * After how many bytes of streamed answers the young objects of V8 are collected. Each of these bytes has been in two to five buffers on its
 * way. V8 collects everything once 64 MB of buffers are new, which takes ten times as long.
 */
const every = 6 * 1024 * 1024

/**
 * Collects buffers that nobody needs any more while answers are streamed. They are young and outside of V8's heap, where they hardly count
 * for V8. So it would find them only when it looks through its whole heap, on all of its threads (decision 81).
 */
export class YoungGarbage {
  readonly #collect: () => void
  #bytes = 0

  constructor(collect: () => void = collectYoung) {
    this.#collect = collect
  }

  /** Counts bytes of an answer. */
  came(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < every) return
    this.#bytes = 0
    this.#collect()
  }
}

type Collect = (options: { readonly type: 'minor' }) => void

let collect: Collect | null = null

function collectYoung(): void {
  collect ??= collector()
  collect({ type: 'minor' })
}

/** V8 gives its collector to contexts that are made while this flag is set. */
function collector(): Collect {
  setFlagsFromString('--expose-gc')
  try {
    return runInNewContext('gc') as Collect
  } finally {
    setFlagsFromString('--no-expose-gc')
  }
}
