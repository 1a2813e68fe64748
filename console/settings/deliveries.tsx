import { Badge, Button, Table as MantineTable, NativeSelect, Text } from '@mantine/core'
import { type JSX, useState } from 'react'
import type { DeliveryView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { rhythm } from '../api/rhythm.ts'
import { Foreign, ForeignBlock } from '../shared/foreign.tsx'
import { Table } from '../shared/table.tsx'
import { Time } from '../shared/time/time.tsx'
import { Rows } from './parts.tsx'
import { useAct, usePages } from './use-pages.ts'

const states: Readonly<Record<DeliveryView['state'], readonly [string, string]>> = {
  waiting: ['Waiting', 'blue'],
  delivered: ['Delivered', 'teal'],
  dead: ['Given up', 'red'],
}

/** The deliveries of a webhook, newest first, with what was sent and what the receiver said. */
export function Deliveries({ webhook, mayWrite }: { readonly webhook: string; readonly mayWrite: boolean }): JSX.Element {
  const [state, setState] = useState('')
  const path = `/platformapi/webhooks/${webhook}/deliveries`
  const pages = usePages<DeliveryView>(state === '' ? path : `${path}?state=${state}`, { every: rhythm })
  const again = useAct(
    (id: string) => ask<DeliveryView>('POST', `${path}/${encodeURIComponent(id)}/redeliver`),
    () => 'The delivery is sent again within seconds',
    'The delivery was not sent again',
  )
  return (
    <section aria-label="Deliveries">
      <NativeSelect
        aria-label="State of the deliveries"
        size="xs"
        my="sm"
        maw={200}
        value={state}
        onChange={({ currentTarget }) => setState(currentTarget.value)}
        data={[{ value: '', label: 'Any state' }, ...Object.entries(states).map(([value, [label]]) => ({ value, label }))]}
      />
      <Rows of={pages} empty={{ title: 'There is no delivery.', text: 'Deliveries are kept for 3 days; those that were given up, for 14.' }}>
        {(rows) => (
          <Table headings={['Event', 'State', 'Attempts', 'Last answer', 'Created', 'Actions']}>
            {rows.map((delivery) => (
              <Row key={delivery.id} of={delivery} {...(mayWrite && { onAgain: () => again.mutate(delivery.id) })} />
            ))}
          </Table>
        )}
      </Rows>
    </section>
  )
}

function Row({ of: delivery, onAgain }: { readonly of: DeliveryView; readonly onAgain?: () => void }): JSX.Element {
  const { type, state, attempts, last_status, last_error, created_at, next_attempt_at, body } = delivery
  const [words, colour] = states[state]
  return (
    <MantineTable.Tr>
      <MantineTable.Td>
        {type}
        <details>
          <summary>What is sent</summary>
          <ForeignBlock value={body} label={`Body of ${type}`} />
        </details>
      </MantineTable.Td>
      <MantineTable.Td>
        <Badge color={colour}>{words}</Badge>
        {next_attempt_at !== null && (
          <Text size="xs" c="dimmed">
            next attempt <Time at={next_attempt_at} />
          </Text>
        )}
      </MantineTable.Td>
      <MantineTable.Td>{attempts}</MantineTable.Td>
      <MantineTable.Td>
        {last_status ?? (attempts > 0 ? 'none' : '')} {last_error !== null && <Foreign value={last_error} />}
      </MantineTable.Td>
      <MantineTable.Td>
        <Time at={created_at} />
      </MantineTable.Td>
      <MantineTable.Td>
        {onAgain && (
          <Button variant="default" size="compact-sm" onClick={onAgain}>
            Send again
          </Button>
        )}
      </MantineTable.Td>
    </MantineTable.Tr>
  )
}
