import type { FeedChangeView } from '../../../runtime/api/index.ts'

/**
 * The words in query keys that say what a query is about. After a word of the first kind comes the id of one object: `['case', 'ACME-42']`. A
 * word of the second kind is about many: `['head', 'alerts', …]`. So is an address of the API: `['settings', '/platformapi/keys']`.
 */
const words: Readonly<Record<FeedChangeView['object'], { readonly one: readonly string[]; readonly many: readonly string[] }>> = {
  alert: { one: ['alert'], many: ['alerts'] },
  case: { one: ['case'], many: ['cases', 'board', 'mentions'] },
  run: { one: ['run', 'steps', 'run steps', 'run step', 'run graph', 'run writes'], many: ['runs'] },
  decision: { one: ['decision'], many: ['decisions'] },
  playbook: { one: ['playbook'], many: ['playbooks'] },
  integration: { one: ['integration'], many: ['integrations', 'skills'] },
  connection: { one: ['connection'], many: ['connections'] },
  fetch: { one: ['fetch'], many: ['fetches'] },
  agent: { one: ['agent'], many: ['agents'] },
  // A pause also shows in the objects that it holds.
  pause: { one: [], many: ['pause', 'pauses', 'run', 'alert'] },
  policy: { one: ['policy'], many: ['policies', 'protected', 'quotas'] },
  organization: { one: ['organization'], many: ['organizations', 'organization-codes'] },
  provider: { one: ['provider'], many: ['providers'] },
  webhook: { one: ['webhook'], many: ['webhooks', 'deliveries'] },
  key: { one: ['key'], many: ['keys'] },
}
/** Queries with one of these words are about everything. */
const overviews = ['home', 'installation']

/** Returns whether a query may have another answer since an object changed. @param data its last answer, which may name the object */
export function concerns(change: FeedChangeView, key: readonly unknown[], data: unknown): boolean {
  const { one, many } = words[change.object]
  const texts = key.filter((part) => typeof part === 'string').map((text) => listOf(text) ?? text)
  if (texts.some((text) => overviews.includes(text) || many.includes(text))) return true
  if (!texts.some((text) => one.includes(text))) return false
  return change.id === null || idsOf(change.id).some((id) => texts.some((text) => sameId(text, id)) || namesItself(data, id))
}

/** An undo also shows in the run that it undoes, so both must be read again. Its id is the id of that run, `-u` and a number. */
function idsOf(id: string): readonly string[] {
  const undone = id.replace(/-u\d+$/, '')
  return undone === id ? [id] : [id, undone]
}

/** Returns what an address of the API lists: `webhooks` for `/platformapi/webhooks/w-1/deliveries`. Null: it is no such address. */
function listOf(text: string): string | null {
  const [empty, api, list = null] = text.split(/[/?]/, 3)
  return empty === '' && api === 'platformapi' ? list : null
}

function sameId(text: unknown, id: string | null): boolean {
  return typeof text === 'string' && id !== null && text.toLowerCase() === id.toLowerCase()
}

/** An address may name an object by another id than the feed does: an alert by its UUID. */
function namesItself(data: unknown, id: string | null): boolean {
  if (typeof data !== 'object' || data === null) return false
  const { alert_id, case_id, run_id } = data as Readonly<Record<string, unknown>>
  return [alert_id, case_id, run_id].some((own) => sameId(own, id))
}
