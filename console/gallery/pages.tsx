import { Group, Table as MantineTable, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core'
import { type JSX, type ReactNode, useState } from 'react'
import { Refused } from '../api/refused.ts'
import { AlertStatusBadge, CaseStatusBadge, DispositionBadge, RunStateBadge, SeverityBadge } from '../shared/badges.tsx'
import { Foreign, ForeignBlock, Json } from '../shared/foreign.tsx'
import { AlertLink, CaseLink, RunLink } from '../shared/links.tsx'
import { type Column, ColumnChooser, DataList } from '../shared/list/index.ts'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Empty, Loading } from '../shared/states.tsx'
import { Table } from '../shared/table.tsx'
import { Time, When } from '../shared/time/time.tsx'
import { Mark } from '../shell/mark.tsx'
import { Keys } from '../shell/shortcuts.tsx'
import { Buttons } from './buttons.tsx'

interface Sample {
  readonly id: string
  readonly text: string
}
const samples: readonly Sample[] = Array.from({ length: 500 }, (_, at) => ({ id: `ACME-CRM-${at + 1}`, text: `Row ${at + 1}` }))
const columns: readonly Column<Sample>[] = [
  { id: 'id', header: 'ID', width: 180, cell: ({ id }) => <AlertLink id={id} copy /> },
  { id: 'text', header: 'TEXT', width: 200, grow: 1, cell: ({ text }) => <Foreign value={text} /> },
]
const hostile = 'Suspend \u202Enimda\u202C? <img src=x onerror=alert(1)> zero\u200Bwidth'
const problem = new Refused({
  code: 'connection_expired',
  status: 409,
  title: 'The connection has expired',
  detail: 'The connection mfa-prod expired on 1 November.',
  remedy: 'Enter new credentials, or change its expiry.',
})

/** One page that shows every shared component. Look at it in both themes after a change to one of them. */
export default function Gallery(): JSX.Element {
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<string | null>(null)
  return (
    <Page title="Components" actions={<ColumnChooser columns={columns} />}>
      <Stack gap="xl">
        <Part title="Mark and colours">
          <Group>
            <Mark size={48} />
            {['harbour', 'teal', 'yellow', 'orange', 'red', 'grape', 'gray'].map((colour) => (
              <div key={colour} style={{ width: 56, height: 32, borderRadius: 4, background: `var(--mantine-color-${colour}-7)` }} />
            ))}
          </Group>
        </Part>
        <Part title="Status, severity, disposition">
          <Group gap="xs">
            {(['unassigned', 'informational', 'low', 'medium', 'high', 'critical'] as const).map((one) => (
              <SeverityBadge key={one} severity={one} />
            ))}
          </Group>
          <Group gap="xs">
            {(['new', 'in_progress', 'analyst_pending', 'customer_pending', 'contained', 'closed'] as const).map((one) => (
              <CaseStatusBadge key={one} status={one} />
            ))}
          </Group>
          <Group gap="xs">
            {(['pending', 'no_threat_found', 'non_malicious_positive', 'malicious'] as const).map((one) => (
              <DispositionBadge key={one} disposition={one} />
            ))}
          </Group>
          <Group gap="xs">
            {(['running', 'waiting', 'completed', 'failed'] as const).map((one) => (
              <RunStateBadge key={one} state={one} />
            ))}
            {['Created', 'Submitted', 'Inprogress', 'Completed', 'Failed'].map((one) => (
              <AlertStatusBadge key={one} status={one} />
            ))}
          </Group>
        </Part>
        <Part title="Links, times, keys">
          <Group>
            <AlertLink id="ACME-CRM-1" copy />
            <CaseLink id="ACME-42" copy />
            <RunLink id="018f-r1" />
            <Time at={Date.now() - 3_600_000} />
            <When at={Date.now() - 86_400_000} />
            <Keys keys="g a" />
            <Keys keys="$mod+k" />
          </Group>
        </Part>
        <Buttons />
        <Part title="Text from outside">
          <Foreign value={hostile} />
          <ForeignBlock label="A text without a space" value={'x'.repeat(20_000)} />
          <Json label="JSON" value={{ user: 'ada', risk: 80, groups: ['admins', hostile] }} />
        </Part>
        <SimpleGrid cols={{ base: 1, md: 3 }}>
          <Loading />
          <Empty title="No decision is open">The page refreshes itself.</Empty>
          <ProblemNote error={problem} />
        </SimpleGrid>
        <Part title="A short table">
          <Table headings={['Skill', 'Access', 'Target', 'Outcome']}>
            <MantineTable.Tr>
              <MantineTable.Td>Suspend MFA User</MantineTable.Td>
              <MantineTable.Td>Write</MantineTable.Td>
              <MantineTable.Td>ada@example.com</MantineTable.Td>
              <MantineTable.Td>done</MantineTable.Td>
            </MantineTable.Tr>
          </Table>
          <Switch label="A switch" />
          <Text size="sm" c="dimmed">
            Dimmed text
          </Text>
        </Part>
        <Part title="A long list">
          <div className="gallery-list">
            <DataList
              label="Samples"
              of="samples"
              columns={columns}
              rows={samples}
              idOf={({ id }) => id}
              onOpen={({ id }) => setOpen(id)}
              openId={open}
              selection={{ ids: selected, onChange: select }}
              pending={false}
              empty={{ title: 'Nothing' }}
              card={({ id, text }) => `${id}: ${text}`}
            />
          </div>
        </Part>
      </Stack>
    </Page>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): JSX.Element {
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  )
}
