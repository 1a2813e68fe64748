import type { IssueChange } from './state.ts'
import { classifications, issueStatuses, remediationActions } from './vocabulary.ts'

type Check = (value: unknown) => string | null

const isTime: Check = (value) =>
  value === null || (typeof value === 'string' && !Number.isNaN(Date.parse(value))) ? null : 'must be an ISO 8601 time or null'

const oneOf =
  (words: readonly string[]): Check =>
  (value) =>
    words.some((word) => word === value) ? null : `must be one of ${words.join(', ')}`

const changes: Readonly<Record<string, Check>> = {
  status: oneOf(issueStatuses),
  classification: oneOf(classifications),
  assignee: (value) => (value === null || (typeof value === 'string' && value !== '') ? null : 'must be a text or null'),
  snoozedUntil: isTime,
  remediationActions: (value) =>
    Array.isArray(value) && value.every((action) => remediationActions.some((known) => known === action))
      ? null
      : `must be a list of ${remediationActions.join(', ')}`,
}

function objectOf(body: string): Readonly<Record<string, unknown>> | string {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : 'The body must be an object.'
  } catch {
    return 'The body is not JSON.'
  }
}

/** The change that a body asks for, or what is wrong with it. */
export function issueChange(body: string): IssueChange | string {
  const value = objectOf(body)
  if (typeof value === 'string') return value
  if (Object.keys(value).length === 0) return 'Nothing to change.'
  for (const [name, wanted] of Object.entries(value)) {
    const check = Object.hasOwn(changes, name) ? changes[name] : undefined
    if (!check) return `The field ${name} is unknown.`
    const fault = check(wanted)
    if (fault) return `${name} ${fault}.`
  }
  return value
}

/** The messages that a body reports, or what is wrong with it. */
export function markedMessages(body: string): readonly string[] | string {
  const value = objectOf(body)
  if (typeof value === 'string') return value
  const unknown = Object.keys(value).find((name) => name !== 'messageIds' && name !== 'reason')
  if (unknown !== undefined) return `The field ${unknown} is unknown.`
  if (value['reason'] !== undefined && typeof value['reason'] !== 'string') return 'reason must be a text.'
  const ids = value['messageIds']
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > 100) return 'messageIds must be a list of 1 to 100 ids.'
  return ids.every((id) => typeof id === 'string') ? ids : 'messageIds must be texts.'
}
