import { Alert, Badge, Button, Code, Group, List, Table as MantineTable, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { type JSX, useState } from 'react'
import type { FetchTrialView } from '../../../../runtime/api/index.ts'
import { remedyHere } from '../../../api/remedies.ts'
import { Foreign, ForeignBlock } from '../../../shared/foreign.tsx'
import { ProblemNote } from '../../../shared/problem.tsx'
import { Table } from '../../../shared/table.tsx'
import { When } from '../../../shared/time/time.tsx'
import type { Draft } from './draft.ts'
import type { useTrial } from './use-trial.ts'

/** How far back a trial looks, in milliseconds. Null: as far as the fetch itself would. */
const spans: readonly { readonly label: string; readonly span: number | null }[] = [
  { label: 'the last hour', span: 3_600_000 },
  { label: 'the last day', span: 86_400_000 },
  { label: 'the last 7 days', span: 7 * 86_400_000 },
  { label: 'all times', span: Number.POSITIVE_INFINITY },
  { label: 'the time that it would fetch next', span: null },
]

interface TrialProps {
  readonly draft: Draft
  readonly trial: ReturnType<typeof useTrial>
  /** From when on the fetch itself would ask. Null: from now on. */
  readonly next: number | null
  /** Whether every error of the trial is shown at a field. */
  readonly explained: boolean
  /** Whether the form can be sent. If not, it shows what is missing. */
  check(): boolean
}

/** Calls the skill once, and shows which alerts the fetch would make. */
export function TrialPart({ draft, trial, next, explained, check }: TrialProps): JSX.Element {
  const [chosen, choose] = useState(1)
  const span = spans[chosen]?.span ?? null
  const since = span === null ? next : Math.max(0, Date.now() - span)
  const { last } = trial
  const outdated = last !== null && JSON.stringify(last.draft) !== JSON.stringify(draft)
  return (
    <Stack gap="sm" component="section" aria-label="Try it">
      <Title order={3} size="h5">
        Try it
      </Title>
      <Text size="sm" c="dimmed">
        Calls the skill once, and shows which alerts the fetch would make. Nothing is stored.
      </Text>
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label="With alerts of"
          value={chosen}
          data={spans.map(({ label }, at) => ({ value: String(at), label }))}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        />
        <Button variant="default" loading={trial.isPending} onClick={() => !trial.isPending && check() && trial.begin({ draft, since })}>
          Try
        </Button>
      </Group>
      {trial.error && !explained && <ProblemNote error={trial.error} />}
      {last && !trial.error && (
        <div role="status">
          {outdated && <Text size="sm">You have changed the form since. Try again to see what it would bring now.</Text>}
          <Result trial={last.trial} />
        </div>
      )}
    </Stack>
  )
}

function Result({ trial: { found, alerts, warnings, failure } }: { readonly trial: FetchTrialView }): JSX.Element {
  if (failure !== null)
    return (
      <Alert color="red" title="The attempt would fail">
        <Foreign value={failure.message} /> {failure.remedy !== null && <Foreign value={remedyHere(failure.remedy)} />} <Code>{failure.code}</Code>
      </Alert>
    )
  return (
    <Stack gap="sm">
      {warnings.length > 0 && (
        <Alert color="yellow" title="What would do harm">
          <List size="sm">
            {warnings.map((warning) => (
              <List.Item key={warning}>
                <Foreign value={warning} />
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Text size="sm" fw={600}>
        {found === 0 ? 'The system has nothing for this time.' : `It would bring ${found} ${found === 1 ? 'alert' : 'alerts'}.`}
        {alerts.length < found && ` The first ${alerts.length}:`}
      </Text>
      {alerts.length > 0 && (
        <Table label="Alerts that it would make" headings={['Type', 'Id', 'Time', 'Content']}>
          {alerts.map((alert, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several alerts may be the same, and the list never changes
            <MantineTable.Tr key={at}>
              <MantineTable.Td>{alert.alert_type === null ? <Missing what="no type" /> : <Foreign value={alert.alert_type} />}</MantineTable.Td>
              <MantineTable.Td style={{ overflowWrap: 'anywhere' }}>
                {alert.id === null ? <Missing what="no id" /> : <Foreign value={alert.id} />}
              </MantineTable.Td>
              <MantineTable.Td>{alert.created_at_source === null ? 'none' : <When at={alert.created_at_source} />}</MantineTable.Td>
              <MantineTable.Td>
                <details>
                  <summary>Content</summary>
                  <ForeignBlock value={alert.alert_content} label={`Content of alert ${at + 1}`} />
                </details>
              </MantineTable.Td>
            </MantineTable.Tr>
          ))}
        </Table>
      )}
    </Stack>
  )
}

function Missing({ what }: { readonly what: string }): JSX.Element {
  return <Badge color="orange">{what}</Badge>
}
