import { Badge, Group, Table as MantineTable, Stack, Text } from '@mantine/core'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { ImpactView, LintedPlaybookView } from '../../runtime/api/index.ts'
import { Foreign } from '../shared/foreign.tsx'
import { addressOf } from '../shared/links.tsx'
import { Table } from '../shared/table.tsx'
import { count } from './words.ts'

const colours = { read: 'gray', write: 'orange', high: 'red' } as const
const approvals = { step: 'A step asks people', policy: 'The policy may ask people', none: 'Nobody is asked' } as const

/** A badge that says how much a call can change. */
export function ImpactBadge({ impact }: { readonly impact: keyof typeof colours }): JSX.Element {
  return <Badge color={colours[impact]}>{impact}</Badge>
}

/** The most that one run can do, in one sentence. */
export function WorstCase({ impact: { high, write, read, targets, unbounded } }: { readonly impact: ImpactView }): JSX.Element {
  return (
    <Stack gap={2}>
      <Text size="sm">
        One run makes at most <b>{count(high, 'high-impact call')}</b>, <b>{count(write, 'write')}</b> and {count(read, 'read')}, on{' '}
        {count(targets, 'target')}.
      </Text>
      {unbounded.map((step) => (
        <Text key={step} size="sm" c="orange.8">
          The loop <Foreign value={step} /> has no bound. Give it `max_items`.
        </Text>
      ))}
    </Stack>
  )
}

/** What a playbook can do at worst, call by call, and what it needs. */
export function Impact({ playbook: { impact, slots, runs } }: { readonly playbook: NonNullable<LintedPlaybookView['playbook']> }): JSX.Element {
  return (
    <Stack gap="md">
      <WorstCase impact={impact} />
      {impact.skills.length > 0 && (
        <Table headings={['Skill', 'Impact', 'At most', 'Slot', 'Role', 'Approval']}>
          {impact.skills.map(({ skill, impact: own, max_calls: most, connection, role, approval }) => (
            <MantineTable.Tr key={`${skill} ${connection}`}>
              <MantineTable.Td>
                <SkillLink skill={skill} />
              </MantineTable.Td>
              <MantineTable.Td>
                <ImpactBadge impact={own} />
              </MantineTable.Td>
              <MantineTable.Td>{count(most, 'call')}</MantineTable.Td>
              <MantineTable.Td>
                <Foreign value={connection} />
              </MantineTable.Td>
              <MantineTable.Td>{role === null ? '' : <Foreign value={role} />}</MantineTable.Td>
              <MantineTable.Td>{own === 'read' ? '' : approvals[approval]}</MantineTable.Td>
            </MantineTable.Tr>
          ))}
        </Table>
      )}
      <Needs slots={slots} />
      {runs.length > 0 && (
        <Text size="sm" component="div">
          It runs{' '}
          {runs.map((name) => (
            <span key={name} className="listed">
              <Link href={`${addressOf.playbook(name)}?kind=sub_playbook`}>
                <Foreign value={name} />
              </Link>
            </span>
          ))}
        </Text>
      )}
    </Stack>
  )
}

function SkillLink({ skill }: { readonly skill: string }): JSX.Element {
  const [integration = '', id = ''] = skill.split('.')
  return (
    <Link href={addressOf.skill(integration, id)}>
      <Foreign value={skill} />
    </Link>
  )
}

function Needs({ slots }: { readonly slots: NonNullable<LintedPlaybookView['playbook']>['slots'] }): JSX.Element {
  if (slots.length === 0)
    return (
      <Text size="sm" c="dimmed">
        It needs no connection.
      </Text>
    )
  return (
    <Group gap={6}>
      <Text size="sm">It needs</Text>
      {slots.map(({ slot, integration, optional }) => (
        <Badge key={slot} tt="none" variant="outline" color={optional ? 'gray' : 'harbour'}>
          {slot}: {integration}
          {optional ? ' (optional)' : ''}
        </Badge>
      ))}
    </Group>
  )
}
