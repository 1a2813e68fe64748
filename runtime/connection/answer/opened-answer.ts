import type { OutboundAnswer } from '../../egress/index.ts'
import type { JsonPath } from '../../json/index.ts'

/** An answer that its scheme has verified and unwrapped. */
export interface OpenedAnswer extends OutboundAnswer {
  /**
   * The scheme signs answers, and nobody vouches for this one: it has no signature, or was signed for somebody else. Its refusal of a request
   * may be believed; that something was done may not.
   */
  readonly unvouched?: 'unsigned' | 'for_another'
  /** Where a field stood twice in an object of what was unwrapped; `body` has the last one alone. */
  readonly repeated?: JsonPath
}
