import { hash } from 'node:crypto'
import { TocsinError } from '../../../errors/index.ts'
import { checkedHeader } from '../../request/request.ts'
import type { SkillRequest } from '../../request/skill-request.ts'
import type { AskedRequest } from './asks.ts'

type Values = NonNullable<AskedRequest['query']>[string]

function texts(value: Values): readonly string[] {
  if (value === null) return []
  return typeof value === 'object' ? value.flatMap((item) => (item === null ? [] : [String(item)])) : [String(value)]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\x00-\x1f\x7f]/
/** Characters of a path. */
const maxPath = 16_384

/**
 * The request that a handler asks for, as the host sends it.
 * @throws TocsinError `skill_input_invalid` for a path that would lead elsewhere than it says, and for a header that would be several
 */
export function requestOf({ method, path, query = {}, headers = {}, body, base = 'api', auth }: AskedRequest): SkillRequest {
  const common = {
    method,
    query: Object.entries(query).flatMap(([name, value]) => texts(value).map((text) => [name, text] as const)),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), checkedHeader(name, value)])),
    body,
    ...(auth && { auth }),
  }
  if (path.length > maxPath) throw refused(`The handler asked for a path of ${path.length} characters.`)
  // Whoever reads the address leaves tabs and line ends out, so that they would hide what the path is.
  if (controls.test(path)) throw refused(`The handler asked for the path ${JSON.stringify(path)}, which has a character that no address may have.`)
  // An address that an answer gave, whole or with a query of its own: resolved by the host, and sent to no other origin than the connection's.
  if (base === 'origin' && (!path.startsWith('/') || path.startsWith('//') || path.includes('?'))) {
    if (common.query.length > 0) throw refused('An address with a query of its own takes no other.')
    return { ...common, path: '/', base: 'none', next: path }
  }
  if (!path.startsWith('/') || /[?#\\]|\/\//.test(path) || path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment)))
    throw refused(`The handler asked for the path ${path}, which is not one below the connection's base.`)
  return { ...common, path, ...(base === 'origin' && { base: 'none' }) }
}

function refused(message: string): TocsinError {
  return new TocsinError('skill_input_invalid', message)
}

/** Names what is sent: method, address, body. */
export function digestOfRequest({ method, path, next, query, body }: SkillRequest): string {
  return hash('sha256', JSON.stringify([method, path, next ?? null, query, body ?? null]), 'base64url')
}
