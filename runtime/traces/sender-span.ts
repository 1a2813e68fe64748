/** A span of another system, in that system's trace. */
export interface SenderSpan {
  /** 32 hexadecimal digits. */
  readonly trace: string
  /** 16 hexadecimal digits. */
  readonly id: string
}

/** Version, trace, span and flags. A later version may have more (W3C Trace Context, section 3.2). */
const form = /^(?<version>[0-9a-f]{2})-(?<trace>[0-9a-f]{32})-(?<id>[0-9a-f]{16})-[0-9a-f]{2}(?<more>-.*)?$/

/** Returns the span that a header `traceparent` names. Null: the header is absent or wrong, which must not refuse an alert. */
export function senderSpanOf(traceparent: string | null): SenderSpan | null {
  const { version, trace, id, more } = form.exec(traceparent ?? '')?.groups ?? {}
  if (version === undefined || trace === undefined || id === undefined) return null
  if (version === 'ff' || (version === '00' && more !== undefined)) return null
  return /^0+$/.test(trace) || /^0+$/.test(id) ? null : { trace, id }
}
