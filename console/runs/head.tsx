import { Alert, Code, SimpleGrid, Text } from '@mantine/core'
import type { JSX, ReactNode } from 'react'
import { Link } from 'wouter'
import type { RunDetailsView } from '../../runtime/api/index.ts'
import { remedyHere } from '../api/remedies.ts'
import { PausedNote } from '../context/paused-note.tsx'
import { Copy } from '../shared/copy.tsx'
import { Foreign } from '../shared/foreign.tsx'
import { IconAlertTriangle } from '../shared/icons.ts'
import { AlertLink, addressOf, CaseLink, RunLink } from '../shared/links.tsx'
import { MergedNote } from '../shared/merged-note.tsx'
import { useNow } from '../shared/time/now.ts'
import { Time, When } from '../shared/time/time.tsx'
import { durationText, stepAddress, waitsFor } from './words.ts'

/** The facts about a run: what it belongs to, what it waits for, and how it failed. */
export function RunHead({ run }: { readonly run: RunDetailsView }): JSX.Element {
  const now = useNow()
  const waits = waitsFor(run)
  const version = run.playbook_digest.replace('sha256:', '').slice(0, 12)
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="md" verticalSpacing="xs" component="dl" className="run-facts">
        <Fact name="Playbook">
          <Link href={addressOf.playbook(run.alert_type)}>
            <Foreign value={run.playbook} />
          </Link>
          <span className="quiet id">
            {version}
            <Copy value={run.playbook_digest} what="the digest of the version" />
          </span>
        </Fact>
        <Fact name="Alert">{run.alert_id === null ? 'gone' : <AlertLink id={run.alert_id} copy />}</Fact>
        <Fact name="Case">
          <CaseLink id={run.case_id} copy />
          <MergedNote into={run.case_merged_into} />
        </Fact>
        <Fact name="Started">
          <When at={run.started_at} />
        </Fact>
        <Fact name={run.ended_at === null ? 'Running for' : 'Took'}>{durationText(Math.max(0, (run.ended_at ?? now) - run.started_at))}</Fact>
        <Fact name="Attempt">
          {run.undoes === null ? run.attempt : 'an undo'}
          {run.deaths.total > 0 && <span className="quiet">processes died {run.deaths.total} times</span>}
        </Fact>
      </SimpleGrid>
      {run.reason !== null && run.cancelled === null && (
        <Text size="sm" mt="xs">
          <span className="quiet">Reason:</span> <Foreign value={run.reason} />
        </Text>
      )}
      {run.error && (
        <Alert
          color="red"
          mt="sm"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title={<Foreign value={run.cancelled ? run.error.message : `It failed: ${run.error.message}`} />}
        >
          {run.error.step !== null && (
            <Text size="sm">
              At <Link href={stepAddress(run.run_id, run.error.step)}>{run.error.step}</Link>
            </Text>
          )}
          {run.error.remedy !== null && <Foreign value={remedyHere(run.error.remedy)} />} <Code>{run.error.code}</Code>
          {run.retry_at !== null && (
            <Text size="sm">
              It is retried automatically <Time at={run.retry_at} />.
            </Text>
          )}
        </Alert>
      )}
      {run.pauses.length > 0 && <PausedNote pauses={run.pauses} title="A pause holds it: it sends no write until somebody resumes what is paused." />}
      {waits !== null && (
        <Alert color="grape" mt="sm" title={waits}>
          {run.waiting?.until != null && (
            <Text size="sm">
              Until <When at={run.waiting.until} />
            </Text>
          )}
          {run.decisions.map(({ id, title }) => (
            <Text size="sm" key={id}>
              <Link href={addressOf.decision(id)}>
                <Foreign value={title} />
              </Link>
            </Text>
          ))}
        </Alert>
      )}
      <Marks run={run} />
    </>
  )
}

/** What people did to the run: cancelled and undone. */
function Marks({ run }: { readonly run: RunDetailsView }): JSX.Element | null {
  const { cancelled, error, undone_by, undoes, requested_by, in_doubt, retry_of } = run
  const lines: readonly (ReactNode | null)[] = [
    retry_of !== null && (
      <>
        It retries <RunLink id={retry_of} />.
      </>
    ),
    undoes !== null && (
      <>
        It undoes <RunLink id={undoes} />
        {requested_by && (
          <>
            , as <Foreign value={requested_by.by ?? 'somebody'} /> asked
            {requested_by.reason !== null && (
              <>
                : “<Foreign value={requested_by.reason} />”
              </>
            )}
          </>
        )}
        .
      </>
    ),
    cancelled && error === null && (
      <>
        <Foreign value={cancelled.by} /> cancelled it <Time at={cancelled.at} />
        {cancelled.reason !== null && (
          <>
            : “<Foreign value={cancelled.reason} />”
          </>
        )}
        .
      </>
    ),
    ...undone_by.map((undo) => (
      <>
        <Foreign value={undo.by ?? 'Somebody'} /> asked <Time at={undo.started_at} /> to undo it
        {undo.reason !== null && (
          <>
            : “<Foreign value={undo.reason} />”
          </>
        )}
        . The undo is {undo.state}: <RunLink id={undo.run_id} />
      </>
    )),
    in_doubt.length > 0 && (
      <strong>
        {in_doubt.length === 1 ? 'One write is' : `${in_doubt.length} writes are`} in doubt: sent, and nobody knows whether it happened.
      </strong>
    ),
  ]
  const shown = lines.filter(Boolean)
  if (shown.length === 0) return null
  return (
    <ul className="run-marks">
      {shown.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have a fixed order
        <li key={at}>{line}</li>
      ))}
    </ul>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): JSX.Element {
  return (
    <div>
      <dt className="quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
