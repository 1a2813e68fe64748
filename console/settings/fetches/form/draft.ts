import type { FetchAnswer } from '../../../../runtime/api/index.ts'
import { parseExactly } from '../../../api/exact-json.ts'

/** What somebody has filled in so far, by the names of the API. A text is empty, and a number null, if nothing is filled in. */
export interface Draft {
  readonly name: string
  readonly organization_code: string
  readonly connection: string
  readonly skill: string
  /** JSON, as it is typed. */
  readonly input: string
  readonly items_at: string
  readonly alert_provider: string
  readonly alert_type: string
  readonly alert_type_at: string
  readonly idempotency_key_at: string
  readonly created_at_source_at: string
  readonly every_seconds: number | null
  readonly overlap_seconds: number | null
  /** Null: a new fetch begins now, and another one goes on where it was. */
  readonly since: number | null
  readonly enabled: boolean
}

/** What the form calls each field. */
export const names: Readonly<Record<keyof Draft, string>> = {
  name: 'Name',
  organization_code: 'Organization',
  connection: 'Connection',
  skill: 'Skill',
  input: 'Input',
  items_at: 'Where the list is',
  alert_provider: 'Provider',
  alert_type: 'Alert type',
  alert_type_at: 'Where the type is',
  idempotency_key_at: 'Where the id is',
  created_at_source_at: 'Where the time is',
  every_seconds: 'Interval in seconds',
  overlap_seconds: 'Overlap in seconds',
  since: 'Fetch from',
  enabled: 'Enabled',
}

/** A form that nobody has filled in, with the defaults of the API. */
export const emptyDraft: Draft = {
  name: '',
  organization_code: '',
  connection: '',
  skill: '',
  input: '{}',
  items_at: '',
  alert_provider: '',
  alert_type: '',
  alert_type_at: '',
  idempotency_key_at: '',
  created_at_source_at: '',
  every_seconds: 60,
  overlap_seconds: 900,
  since: null,
  enabled: true,
}

export function draftOf(fetch: FetchAnswer): Draft {
  return {
    name: fetch.name,
    organization_code: fetch.organization_code ?? '',
    connection: fetch.connection,
    skill: fetch.skill,
    input: JSON.stringify(fetch.input, null, 2),
    items_at: fetch.items_at,
    alert_provider: fetch.alert_provider,
    alert_type: fetch.alert_type ?? '',
    alert_type_at: fetch.alert_type_at ?? '',
    idempotency_key_at: fetch.idempotency_key_at ?? '',
    created_at_source_at: fetch.created_at_source_at ?? '',
    every_seconds: fetch.every_seconds,
    overlap_seconds: fetch.overlap_seconds,
    since: null,
    enabled: fetch.enabled,
  }
}

/** Returns the input of the skill. Null: the text is not a JSON object. */
export function inputIn(text: string): object | null {
  try {
    const value = parseExactly(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** The body that creates or tries the fetch. An input that is not JSON is left as it is typed, so that the API refuses it. */
export function bodyOf(draft: Draft) {
  const { name, organization_code, connection, skill, input, items_at, alert_provider, every_seconds, overlap_seconds, since, enabled } = draft
  return {
    name: name.trim(),
    organization_code,
    connection,
    skill,
    input: inputIn(input) ?? input,
    items_at: items_at.trim(),
    alert_provider,
    alert_type: orNull(draft.alert_type),
    alert_type_at: orNull(draft.alert_type_at),
    idempotency_key_at: orNull(draft.idempotency_key_at),
    created_at_source_at: orNull(draft.created_at_source_at),
    every_seconds: every_seconds ?? emptyDraft.every_seconds,
    overlap_seconds: overlap_seconds ?? emptyDraft.overlap_seconds,
    enabled,
    ...(since !== null && { since }),
  }
}

/** The body that changes the fetch: its revision, and what differs. The organization stays. */
export function changeOf(draft: Draft, standing: FetchAnswer): object {
  const { organization_code: _, since, ...fields } = bodyOf(draft)
  const differing = Object.entries(fields).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(standing[name as keyof typeof fields]))
  return { revision: standing.revision, ...Object.fromEntries(differing), ...(since !== undefined && { since }) }
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}
