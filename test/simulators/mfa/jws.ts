import { createHmac, timingSafeEqual } from 'node:crypto'

/** A compact JWS as the provider reads and writes it: HS256 only, base64url without padding. */
export interface OpenedJws {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
}

function signature(signed: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(signed).digest()
}

export function signJws(header: object, payload: string, key: Buffer): string {
  const signed = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${Buffer.from(payload).toString('base64url')}`
  return `${signed}.${signature(signed, key).toString('base64url')}`
}

/**
 * Parses a compact JWS. Returns null if it is not one of two objects, and `wrong_signature` if this
 * key did not sign it.
 */
export function openJws(text: string, key: Buffer): OpenedJws | 'wrong_signature' | null {
  const parts = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(text)
  if (!parts) return null
  const [, head = '', body = '', given = ''] = parts
  const header = objectOf(Buffer.from(head, 'base64url').toString('utf8'))
  const payload = objectOf(Buffer.from(body, 'base64url').toString('utf8'))
  if (!header || !payload) return null
  const right = signature(`${head}.${body}`, key)
  const shown = Buffer.from(given, 'base64url')
  return shown.length === right.length && timingSafeEqual(shown, right) ? { header, payload } : 'wrong_signature'
}

/**
 * Parses JSON. Integers beyond 2^53 become texts of their digits, marked so that they differ from
 * real texts.
 */
function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text, ((_: string, item: unknown, { source }: { source?: string }) =>
      typeof item === 'number' && !Number.isSafeInteger(item) && source !== undefined && /^\d+$/.test(source) ? BigInt(source) : item) as never)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** Returns JSON in which a bigint is a number with all its digits. */
export function exactJson(value: unknown): string {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? rawJSON(String(item)) : item))
}
