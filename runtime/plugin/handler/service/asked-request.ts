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

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters
const controls = /[\x00-\x1f\x7f]/
/** Longest path, in characters. */
const maxPath = 16_384

/**
 * Converts the request that a handler asks for into the one that the host sends.
 * @throws TocsinError `skill_input_invalid` if the path would lead elsewhere than it seems to, or
 * if a header would become several
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
  // URL parsers drop tabs and line ends, so these could disguise the path.
  if (controls.test(path))
    throw refused(`The handler asked for the path ${JSON.stringify(path)}, which contains a character that is not allowed in a URL.`)
  // A URL from an answer, absolute or with a query. The host resolves it, and sends it only to the
  // connection's own origins.
  if (base === 'origin' && (!path.startsWith('/') || path.startsWith('//') || path.includes('?'))) {
    if (common.query.length > 0) throw refused('A URL from an answer, or a path with a query, cannot have the option `query` too.')
    return { ...common, path: '/', base: 'none', next: path }
  }
  if (!path.startsWith('/') || /[?#\\]|\/\//.test(path) || path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment)))
    throw refused(`The handler asked for the path ${path}, which is not below the connection's base.`)
  return { ...common, path, ...(base === 'origin' && { base: 'none' }) }
}

function refused(message: string): TocsinError {
  return new TocsinError('skill_input_invalid', message)
}

/** Returns a digest of what is sent: method, URL and body. */
export function digestOfRequest({ method, path, next, query, body }: SkillRequest): string {
  return hash('sha256', JSON.stringify([method, path, next ?? null, query, body ?? null]), 'base64url')
}
