import { addressOf } from '../shared/links.tsx'
import { type Place, queryOf } from './queries.ts'

/** The address of a playbook's page. */
export function pageOf(place: Place): string {
  return `${addressOf.playbook(place.key)}${queryOf(place)}`
}

/** The address of its editor. @param more what the panels begin with, such as `{ alert: 'ACME-CRM-1' }` */
export function editorOf(place: Place, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(queryOf(place))
  for (const [name, value] of Object.entries(more)) query.set(name, value)
  const text = query.toString()
  return `${addressOf.playbook(place.key)}/edit${text === '' ? '' : `?${text}`}`
}
