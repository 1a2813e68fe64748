import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import type { DecisionView, KeyView, SignedInView } from '../../runtime/api/index.ts'
import { wholeList } from '../api/whole-list.ts'
import { Foreign } from '../shared/foreign.tsx'
import { IconAlertTriangle } from '../shared/icons.ts'
import { useWho } from '../shell/who.ts'
import { deadEndOf } from './second-approver.ts'
import { choosable } from './words.ts'

/** Whether somebody sees every key, and so knows who else may approve. The list of other keys is not complete. */
function seesAllKeys({ scopes, all_organizations }: SignedInView): boolean {
  return all_organizations && scopes.includes('keys:read')
}

/**
 * Warns before an approval after which too few people could still approve. Shows nothing to those who cannot know: they do not see all keys.
 * @param decisions those that are about to be answered
 */
export function DeadEndNote({ decisions }: { readonly decisions: readonly DecisionView[] }): JSX.Element | null {
  const who = useWho()
  const several = decisions.filter((decision) => decision.approvers > 1 && decision.may_answer && choosable(decision).includes('approve'))
  const { data: keys } = useQuery({
    queryKey: ['all keys'],
    queryFn: ({ signal }) => wholeList<KeyView>('/platformapi/keys', signal),
    enabled: several.length > 0 && seesAllKeys(who),
  })
  if (keys === undefined) return null
  const [end] = several.flatMap((decision) => deadEndOf(decision, who.principal_uuid, keys) ?? [])
  if (end === undefined) return null
  return (
    <Alert color="orange" icon={<IconAlertTriangle size={18} />} my="sm" title="If you approve first, too few others can approve">
      Of two keys, one of which made the other, only one counts.{' '}
      {end.instead === null ? (
        'Without you, too few others may approve, too: their keys must be older than the question. Let one key make keys for the people who approve. Then decline this, and investigate the alert again.'
      ) : (
        <>
          Your key made keys of others, or one of them made yours. Leave the approval to them: <Foreign value={end.instead.slice(0, 5).join(', ')} />
          {end.instead.length > 5 && ` and ${end.instead.length - 5} more`}. You can still decline.
        </>
      )}
    </Alert>
  )
}
