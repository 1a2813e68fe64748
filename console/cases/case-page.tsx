import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import type { CaseDetailsView } from '../../runtime/api/index.ts'
import { oneCase } from '../api/queries.ts'
import { remedyHere } from '../api/remedies.ts'
import { UndoDialog } from '../runs/dialogs/undo.tsx'
import { CaseStatusBadge, DispositionBadge, SeverityBadge } from '../shared/badges.tsx'
import { Copy } from '../shared/copy.tsx'
import { Foreign, ForeignBlock } from '../shared/foreign.tsx'
import { IconAlertTriangle } from '../shared/icons.ts'
import { CaseLink } from '../shared/links.tsx'
import { useBackToList } from '../shared/list/index.ts'
import { beginOf, WholeTitle } from '../shared/long-title.tsx'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { Time } from '../shared/time/time.tsx'
import { useShortcut } from '../shell/shortcuts.tsx'
import { useMay, useWho } from '../shell/who.ts'
import { CommentForm } from './comment.tsx'
import { CloseDialog } from './dialogs/close-dialog.tsx'
import { ConnectDialog } from './dialogs/connect-dialog.tsx'
import { Export } from './export.tsx'
import { Findings, Writes } from './facts.tsx'
import { Fields, useChange } from './fields.tsx'
import { useReplacedNotice } from './replaced.ts'
import { Alerts, Decisions, Others, Part, Tags, Tasks } from './side.tsx'
import { Timeline } from './timeline/timeline.tsx'
import { refreshCase, useCaseAct } from './use-case.ts'

/** The page of one case. */
export function CasePage({ id }: { readonly id: string }): JSX.Element {
  const { data, error, isPending } = useQuery(oneCase(id))
  if (data) return <Shown found={data} error={error} />
  return (
    <Page title={id}>
      {isPending && <Loading />}
      {error && <ProblemNote error={error} />}
    </Page>
  )
}

/** A long verdict is folded. Only a folded one scrolls. */
const shortVerdict = 1_200

function Shown({ found, error }: { readonly found: CaseDetailsView; readonly error: Error | null }): JSX.Element {
  const may = useMay()
  const who = useWho()
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<'close' | 'connect' | null>(null)
  const [undoing, setUndoing] = useState<string | null>(null)
  const change = useChange(found)
  useReplacedNotice(found, who.principal_uuid)
  const { case_id: id, summary } = found
  const mayWrite = may('cases:write')
  const open = found.status !== 'closed'
  useShortcut('e', 'Close the case', mayWrite && open ? () => setDialog('close') : null)
  useShortcut('m', 'Assign to me', mayWrite && found.assignee !== who.name ? () => change({ assignee: who.name }) : null)
  useShortcut('l', 'Link or merge', mayWrite ? () => setDialog('connect') : null)
  useShortcut('u', 'Back to the list', useBackToList('/cases'))
  return (
    <Page
      title={`${id}: ${found.title}`}
      tab={`${id} ${found.title}`}
      heading={
        <>
          <span className="quiet">{id}</span> <Foreign value={beginOf(found.title)} /> <Copy value={id} what="the case id" />
        </>
      }
      actions={
        <>
          <Export id={id} />
          {mayWrite && open && (
            <Button size="xs" onClick={() => setDialog('close')}>
              Close …
            </Button>
          )}
          {mayWrite && !open && found.merged_into === null && (
            <Button size="xs" variant="default" onClick={() => change({ status: 'in_progress' })}>
              Open again
            </Button>
          )}
        </>
      }
    >
      <WholeTitle title={found.title} />
      <Group gap={6} mb="sm">
        <SeverityBadge severity={found.severity} />
        <CaseStatusBadge status={found.status} />
        <DispositionBadge disposition={found.disposition} />
      </Group>
      {error && <ProblemNote error={error} />}
      <Banners found={found} />
      <div className="case">
        <div className="case-main">
          {summary !== null && (
            <Part name={found.superseded ? 'Verdict (superseded)' : 'Verdict'}>
              {summary.length > shortVerdict ? (
                <ForeignBlock value={summary} label="Verdict" />
              ) : (
                <Text size="sm" className="case-line" td={found.superseded ? 'line-through' : undefined}>
                  <Foreign value={summary} />
                </Text>
              )}
            </Part>
          )}
          {found.timeline.some(({ kind }) => kind === 'finding') && (
            <Part name="Findings">
              <Findings found={found} />
            </Part>
          )}
          {found.writes.length > 0 && (
            <Part name="Changes in external systems">
              <Writes found={found} onUndo={setUndoing} />
            </Part>
          )}
        </div>
        <aside className="case-side" aria-label="About the case">
          <Part name="Fields">
            <Fields found={found} onClose={() => setDialog('close')} />
          </Part>
          <Part name="Open decisions">
            <Decisions found={found} />
          </Part>
          <Part name="Tasks">
            <Tasks found={found} />
          </Part>
          <Part name="Tags">
            <Tags found={found} />
          </Part>
          <Part name="Alerts">
            <Alerts found={found} />
          </Part>
          <Part name="Other cases">
            <Others found={found} onConnect={() => setDialog('connect')} />
          </Part>
        </aside>
        <div className="case-log">
          <Part name="Timeline">
            {mayWrite && <CommentForm id={id} />}
            <Timeline found={found} />
          </Part>
        </div>
      </div>
      {dialog === 'close' && <CloseDialog id={id} onClose={() => setDialog(null)} />}
      {dialog === 'connect' && <ConnectDialog found={found} onClose={() => setDialog(null)} />}
      {undoing !== null && (
        <UndoDialog
          run={undoing}
          onClose={() => {
            setUndoing(null)
            refreshCase(queries, id)
          }}
        />
      )}
    </Page>
  )
}

/** What a reader must know before anything else. */
function Banners({ found }: { readonly found: CaseDetailsView }): JSX.Element {
  const act = useCaseAct(found.case_id)
  const may = useMay()
  const { superseded, attention, merged_into: into } = found
  const icon = <IconAlertTriangle size={18} aria-hidden />
  return (
    <>
      {into !== null && (
        <Alert color="blue" mb="sm" title="This case is merged">
          <Group justify="space-between">
            <Text size="sm" component="span">
              <CaseLink id={into.case_id} /> continues it. <Foreign value={into.by} /> merged it <Time at={into.at} />.
            </Text>
            {may('cases:write') && (
              <Button
                size="compact-sm"
                variant="default"
                loading={act.isPending}
                onClick={() => act.mutate({ method: 'DELETE', part: '/merge', what: 'The merge was not taken back' })}
              >
                Take the merge back
              </Button>
            )}
          </Group>
        </Alert>
      )}
      {superseded !== null && (
        <Alert color="orange" mb="sm" icon={icon} title="The verdict may no longer be true">
          <Text size="sm">
            <Foreign value={superseded.text} />
            {superseded.reason !== null && (
              <>
                {' '}
                Reason: <Foreign value={superseded.reason} />
              </>
            )}
          </Text>
        </Alert>
      )}
      {attention
        .filter(({ kind }) => kind !== 'undo' || superseded === null)
        .map(({ kind, run_id, text, remedy, at }) => (
          <Alert key={`${kind} ${run_id}`} color="red" mb="sm" icon={icon} title="Somebody has to look at this case">
            <Text size="sm">
              <Foreign value={text} /> (<Time at={at} />)
            </Text>
            {remedy && (
              <Text size="sm" c="dimmed">
                <Foreign value={remedyHere(remedy)} />
              </Text>
            )}
          </Alert>
        ))}
    </>
  )
}
