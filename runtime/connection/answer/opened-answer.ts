import type { OutboundAnswer } from '../../egress/index.ts'
import type { JsonPath } from '../../json/index.ts'

/** An answer that its scheme has verified and unwrapped. */
export interface OpenedAnswer extends OutboundAnswer {
  /**
   * Set if the scheme signs answers but nobody vouches for this one: it is unsigned, or was signed
   * for another client. If it refuses the request, believe it. If it says that something was done,
   * do not.
   */
  readonly unvouched?: 'unsigned' | 'for_another'
  /**
   * The path of a field that appears twice in an object of the unwrapped answer. `body` has only
   * its last value.
   */
  readonly repeated?: JsonPath
}
