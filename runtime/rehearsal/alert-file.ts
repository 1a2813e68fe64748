import { isObject, type Json } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import type { Circumstances } from './types.ts'

/** The keys that an alert may have besides its content, in the API and in tests. */
const fields = {
  alert_type: 'type',
  alert_name: 'name',
  alert_provider: 'provider',
  alert_id: 'alertId',
  alert_uuid: 'uuid',
  organization_code: 'organizationCode',
  created_at: 'createdAt',
  created_at_source: 'createdAtSource',
} as const

/**
 * Reads an alert from a file. The text is an alert if it has `alert_content`, as in the API, or
 * `content` and no keys that alerts lack, as in a test. Any other text is the content itself.
 *
 * @throws TocsinError `body_invalid` if a field of the alert has the wrong type
 */
export function alertIn(text: string): Circumstances['alert'] {
  const value = parsed(text)
  if (!isObject(value)) return { content: text }
  const inner = value['alert_content'] ?? (isTestAlert(value) ? value['content'] : undefined)
  if (inner === undefined) return { content: text }
  const given = Object.entries(fields).flatMap(([key, field]) => {
    const one = value[key]
    if (one === undefined || one === null) return []
    const timed = key.startsWith('created_at')
    if (timed ? typeof one !== 'number' : typeof one !== 'string') {
      const message = `must be a ${timed ? 'number' : 'string'}`
      throw new TocsinError('body_invalid', `${key} ${message}`, [{ field: key, message }])
    }
    return [[field, one] as const]
  })
  return { content: typeof inner === 'string' ? inner : JSON.stringify(inner), ...Object.fromEntries(given) }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function isTestAlert(value: { readonly [key: string]: Json }): boolean {
  return value['content'] !== undefined && Object.keys(value).every((key) => key === 'content' || Object.hasOwn(fields, key))
}
