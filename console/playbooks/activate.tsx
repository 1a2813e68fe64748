import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { JSX } from 'react'
import type { ActivatedPlaybooksView, PlaybookView } from '../../runtime/api/index.ts'
import { Foreign } from '../shared/foreign.tsx'
import { AndMore } from '../shared/list/and-more.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { done } from '../shared/toasts.tsx'
import { Dialog } from '../shell/dialog.tsx'
import type { Draft } from './draft.ts'
import { WorstCase } from './impact.tsx'
import { activate, type Place } from './queries.ts'

interface ActivateProps {
  readonly place: Place
  readonly draft: Draft
  readonly active: PlaybookView | null
  readonly onClose: () => void
  readonly onDone: () => void
}

type Checked = ActivatedPlaybooksView['playbooks'][number]

/** The most warnings, and the most organizations, that are listed. */
const mostListed = 20

/** Shows what an activation would do, and does it. */
export function Activate({ place, draft: { text, revision }, active, onClose, onDone }: ActivateProps): JSX.Element {
  const queries = useQueryClient()
  const { organization } = place
  const check = useQuery({
    queryKey: ['activation', place, text],
    queryFn: () => activate({ text, organization, revisions: {}, check: true }),
    gcTime: 0,
    retry: false,
  })
  const checked = check.data?.playbooks[0]
  const act = useMutation({
    // Only the place that was edited has a known revision. Other places of the text get the revision that the check has just shown.
    mutationFn: () => activate({ text, organization, revisions: checked ? revisionsOf(checked, place, revision) : {}, check: false }),
    async onSuccess() {
      await queries.invalidateQueries()
      done({ text: `${place.key} is active. New runs use it within a second.` })
      onDone()
    },
    onError: () => void queries.invalidateQueries({ queryKey: ['playbook', place.key] }),
  })
  return (
    <Dialog onClose={onClose} title="Activate this text?" size="lg" busy={act.isPending}>
      <Stack gap="sm">
        {check.isPending && <Loading what="Checking everything" />}
        {check.error && <ProblemNote error={check.error} />}
        {checked && <Consequences checked={checked} organization={organization} active={active} />}
        {act.error && <ProblemNote error={act.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={act.isPending}>
            Cancel
          </Button>
          <Button disabled={!checked} loading={act.isPending} onClick={() => act.mutate()}>
            Activate
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function revisionsOf({ places }: Checked, { key }: Place, begun: number): Readonly<Record<string, number>> {
  return Object.fromEntries(places.map((each) => [each.key, each.key === key ? begun : (each.standing?.revision ?? 0)]))
}

interface ConsequencesProps {
  readonly checked: Checked
  readonly organization: string | null
  readonly active: PlaybookView | null
}

function Consequences({ checked, organization, active }: ConsequencesProps): JSX.Element {
  const { name, places, findings, impact, unbound, over_policy: over } = checked
  const displaced = places.filter(({ replaced }) => replaced !== null)
  const unchanged = places.every(({ outcome }) => outcome === 'unchanged')
  return (
    <>
      <Text size="sm" component="div">
        <b>
          <Foreign value={name} />
        </b>{' '}
        becomes active for {organization === null ? 'all organizations' : <Foreign value={organization} />}, for alerts of{' '}
        {places.map(({ key, standing }) => (
          <span key={key} className="listed">
            <Foreign value={key} />
            {standing ? ` (replaces revision ${standing.revision})` : ' (new)'}
          </span>
        ))}
        . Runs that have begun keep their version.
      </Text>
      {displaced.length > 0 && (
        <Alert color="orange" title="It takes the place of another playbook">
          <List size="sm">
            {displaced.slice(0, mostListed).map(({ key, replaced }) => (
              <List.Item key={key}>
                <Foreign value={replaced ?? ''} /> no longer gets the alerts of <Foreign value={key} />.
              </List.Item>
            ))}
          </List>
          <AndMore all={displaced.length} shown={mostListed} />
        </Alert>
      )}
      {unchanged && active && <Alert color="gray">This text is already active.</Alert>}
      <WorstCase impact={impact} />
      {findings.length > 0 && (
        <Alert color="orange" title={findings.length === 1 ? '1 warning' : `${findings.length} warnings`}>
          <List size="sm">
            {findings.slice(0, mostListed).map(({ message, line, code }) => (
              <List.Item key={`${line} ${code} ${message}`}>
                line {line}: <Foreign value={message} />
              </List.Item>
            ))}
          </List>
          <AndMore all={findings.length} shown={mostListed} />
        </Alert>
      )}
      {unbound.length > 0 && (
        <Alert
          color="red"
          title={unbound.length === 1 ? 'Its runs would fail for 1 organization' : `Its runs would fail for ${unbound.length} organizations`}
        >
          <List size="sm">
            {unbound.slice(0, mostListed).map(({ organization_code: code, slots }) => (
              <List.Item key={code}>
                <Foreign value={code} />: <Foreign value={slots.map(({ why }) => why).join('; ')} />
              </List.Item>
            ))}
          </List>
          <AndMore all={unbound.length} shown={mostListed} />
        </Alert>
      )}
      {over.length > 0 && (
        <Alert color="orange" title="A run may reach the limit of a policy">
          <List size="sm">
            {over.slice(0, mostListed).map(({ organization_code: code, exceeded }) => (
              <List.Item key={code}>
                <Foreign value={code} />: {exceeded.map(({ name: what, most, limit }) => `${what} up to ${most}, allowed ${limit}`).join('; ')}
              </List.Item>
            ))}
          </List>
          <AndMore all={over.length} shown={mostListed} />
        </Alert>
      )}
    </>
  )
}
