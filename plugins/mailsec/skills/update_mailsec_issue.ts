import type { Handler } from '@tocsin/plugin'
import { wantedActions } from '../lib/remediation.ts'

interface Input {
  readonly issue_id: string
  readonly status?: string
  readonly classification?: string
  readonly assignee?: string | null
  readonly snoozed_until?: string | null
  readonly remediation_actions?: readonly string[]
  readonly remediation_mode?: 'replace' | 'merge'
}

interface Standing {
  readonly id?: unknown
  readonly remediationActions?: unknown
}

/**
 * Updates the requested fields. To add to the remediation list it reads the list first, because the
 * platform replaces the whole list.
 */
export default (async ({ input, http, path, fail }) => {
  const { issue_id, status, classification, assignee, snoozed_until, remediation_actions, remediation_mode } = input
  const address = path`/issues/${issue_id}`
  const standing = remediation_mode === 'merge' ? (await http.get<Standing>(address)).body : null
  // The actions of another issue would replace those of this one.
  if (typeof standing?.id === 'string' && standing.id !== issue_id)
    fail('remediation_not_known', `The platform answered with the issue ${standing.id}.`)
  const wanted = wantedActions(remediation_actions, remediation_mode, standing?.remediationActions)
  if (wanted.kind === 'not_known') fail('remediation_not_known', 'The issue does not say which remediation actions are active.')
  const change = {
    ...(status !== undefined && { status }),
    ...(classification !== undefined && { classification }),
    ...(assignee !== undefined && { assignee }),
    ...(snoozed_until !== undefined && { snoozedUntil: snoozed_until }),
    ...(wanted.kind === 'set' && { remediationActions: wanted.actions }),
  }
  // Everything to be added is already in the list, and nothing else was requested.
  if (Object.keys(change).length === 0) return { issue: standing }
  const { body } = await http.patch(address, change)
  return { issue: body === '' ? null : body }
}) satisfies Handler<Input>
