import type { OpenedJws } from './jws.ts'

/** A client that the provider knows. */
export interface Client {
  readonly orgAlias: string
  readonly token: string
}

const timestamp = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$/

/**
 * Describes what is wrong with a verified request outside its reqBody. Null if nothing is.
 *
 * @param strict accepts only the documented form; otherwise also what the vendor's own samples
 * send: `orgAlias` or `typ` in the header, another timestamp or none, a version that is a number
 */
export function envelopeFault(
  { header, payload }: OpenedJws,
  { orgAlias, token }: Client,
  strict: boolean,
): { status: number; message: string } | null {
  if (header['alg'] !== 'HS256') return { status: 400, message: 'Invalid input: alg must be HS256' }
  const odd = Object.keys(header).find((name) => !['alg', 'org_alias', 'token'].includes(name))
  if (strict && odd !== undefined) return { status: 400, message: `Invalid input: header ${odd}` }
  if ((header['org_alias'] ?? header['orgAlias']) !== orgAlias || header['token'] !== token) return { status: 401, message: 'Invalid client' }
  const { reqHeader, reqBody } = payload
  if (!isObject(reqHeader) || !isObject(reqBody)) return { status: 400, message: 'Invalid input: reqHeader and reqBody are needed' }
  if (reqHeader['orgAlias'] !== orgAlias || reqHeader['secretKey'] !== token) return { status: 401, message: 'Invalid client' }
  const { locale, version } = reqHeader
  const documented = typeof locale === 'string' && typeof version === 'string' && timestamp.test(String(reqHeader['timestamp']))
  return strict && !documented ? { status: 400, message: 'Invalid input: reqHeader' } : null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
