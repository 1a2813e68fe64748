/** How often each thing goes wrong; 0: never in this simulation. */
export interface Climate {
  /** Of operations: the process dies right before it, or right after it has taken effect. */
  readonly death: number
  /** Of operations: refused, with nothing done. */
  readonly refused: number
  /** Of operations: done, and the answer is lost. */
  readonly lost: number
  /** Of operations: given up, and done afterwards, when nobody expects it. */
  readonly late: number
  /** Milliseconds that an operation may be on its way, there or back. */
  readonly latency: number
  /** Of requests to the external system: something happens to it on its way. */
  readonly calls: number
  /** Of jobs: lost, or given out twice. */
  readonly jobs: number
}
