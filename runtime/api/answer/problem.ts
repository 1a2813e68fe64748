import type { ErrorCode, ErrorPlace, TocsinError } from '../../errors/index.ts'
import { registry } from '../../errors/index.ts'

export const problemType = 'application/problem+json'

/** The body of an error answer (RFC 9457). */
export interface Problem {
  /** `urn:tocsin:error:<code>`: a name, not an address. */
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ErrorCode
  readonly detail: string
  readonly remedy: string
  readonly errors?: readonly ErrorPlace[]
  readonly request_id: string
}

/** Returns the problem document (RFC 9457) of an error, with what is wrong at which place and what to do. */
export function problemOf(error: TocsinError, requestId: string): Problem {
  return { ...problem(error.code, detailOf(error), requestId, error.places), remedy: error.remedy }
}

/**
 * Returns what the sender is told. If the fault is not the sender's, leaves out what the message says of its cause, which may name hosts and files
 * of the operator. Anybody can read it, because the key of a request cannot be checked then. The log has it.
 */
function detailOf({ message, cause, entry }: TocsinError): string {
  const why = cause instanceof Error ? cause.message : ''
  const at = entry.status >= 500 && why !== '' ? message.indexOf(`: ${why}`) : -1
  return at < 0 ? message : `${message.slice(0, at)}.`
}

export function problem(code: ErrorCode, detail: string, requestId: string, places: readonly ErrorPlace[] = []): Problem {
  const { title, status, remedy } = registry[code]
  const base = { type: `urn:tocsin:error:${code}`, title, status, code, detail: detail === '' ? title : detail, remedy }
  return places.length === 0 ? { ...base, request_id: requestId } : { ...base, errors: places, request_id: requestId }
}
