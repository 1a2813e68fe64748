import type { Command } from 'commander'
import type { Shared } from '../../../remote-command.ts'

/** Options that choose a place: of one organization or shared, of an alert type or a sub-playbook's name. */
export interface PlaceOptions extends Shared {
  readonly organization?: string
  readonly sub?: boolean
}

/** Adds the options of a place to a command that names an alert type. */
export function ofPlace(command: Command): Command {
  return command
    .option('--organization <code>', 'the playbook of this organization (default: the shared one)')
    .option('--sub', 'the argument is the name of a sub-playbook, not an alert type')
}

export function placePath(key: string, rest = ''): string {
  return `/platformapi/playbooks/${encodeURIComponent(key)}${rest}`
}

export function placeQuery({ organization, sub }: PlaceOptions, more: Readonly<Record<string, string | undefined>> = {}): string {
  const query = new URLSearchParams()
  if (organization !== undefined) query.set('organization', organization)
  if (sub === true) query.set('kind', 'sub_playbook')
  for (const [name, value] of Object.entries(more)) if (value !== undefined) query.set(name, value)
  return query.size > 0 ? `?${query}` : ''
}

/** Returns the options of a place as fields of a request body. */
export function placeBody({ organization, sub }: PlaceOptions): object {
  return { ...(organization !== undefined && { organization_code: organization }), ...(sub === true && { kind: 'sub_playbook' }) }
}
