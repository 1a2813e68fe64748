import { escapeUnseen } from '../domain/index.ts'

const mask = '[redacted]'

/** Names of fields that hold secrets, in any case, written as a_b, a-b or aB. */
const telling =
  /(^|_)(set_cookie|cookies?|authorization|passwords?|passwd|secrets?|tokens?|api_?keys?|credentials?|private_key|vault_key(_old)?|base64_key|client_secret)$/

function isTelling(name: string): boolean {
  return telling.test(
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replaceAll('-', '_')
      .toLowerCase(),
  )
}

/** Deeper values are left out. Nothing that is logged on purpose is that deep. */
const maxDepth = 8

/**
 * Returns a copy of what is to be logged, with the values under names of secrets masked. Errors stay for
 * their serializer.
 */
export function maskSecrets(value: Record<string, unknown>): Record<string, unknown> {
  return maskObject(value, 0, new Set())
}

function maskObject(value: object, depth: number, above: Set<object>): Record<string, unknown> {
  above.add(value)
  const copy: Record<string, unknown> = {}
  for (const [name, item] of Object.entries(value)) {
    copy[name] = isTelling(name) ? mask : maskValue(item, depth + 1, above)
  }
  above.delete(value)
  return copy
}

function maskValue(value: unknown, depth: number, above: Set<object>): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (value instanceof Error) return depth === 1 ? value : describeError(value)
  if (above.has(value)) return '[circular]'
  if (depth > maxDepth) return '[too deep]'
  if (Array.isArray(value)) return value.map((item: unknown) => maskValue(item, depth + 1, above))
  return maskObject(value, depth, above)
}

/**
 * Returns the parts of an error that are logged. Its other fields are left out, because drivers put commands,
 * requests and addresses there.
 */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const described: Record<string, unknown> = { name: error.name, message: error.message, stack: error.stack }
  if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number')) described['code'] = error.code
  if (error.cause !== undefined) described['cause'] = error.cause instanceof Error ? error.cause.message : String(error.cause)
  return described
}

/** Removes secrets from the finished line. This catches those within a text. */
export function scrubLine(text: string): string {
  // The line stays the same JSON. Escapes keep it from controlling a terminal that shows it.
  const line = escapeUnseen(text)
  if (!/tsk_|session=|bearer|basic /i.test(line)) return line
  return line
    .replace(/tsk_[A-Za-z0-9_-]{16,}/g, mask)
    .replace(/\b(session=)("|\\")?[^\s;"\\,]+/gi, `$1${mask}`)
    .replace(/\b(bearer|basic)\s+[A-Za-z0-9+/=._~-]{16,}/gi, `$1 ${mask}`)
}
