/** How often each fault happens. 0: never in this simulation. */
export interface Climate {
  /** Share of operations right before or right after which the process dies. */
  readonly death: number
  /** Share of operations that are refused without any effect. */
  readonly refused: number
  /** Share of operations that take effect, but whose answer is lost. */
  readonly lost: number
  /** Share of operations that are given up but take effect later, when nobody expects it. */
  readonly late: number
  /** The longest time that an operation takes on its way there or back, in milliseconds. */
  readonly latency: number
  /** Share of requests to the external system that meet a fault on their way. */
  readonly calls: number
  /** Share of jobs that are lost or handed out twice. */
  readonly jobs: number
}
