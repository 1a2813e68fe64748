import { Badge, Group, Text, Title } from '@mantine/core'
import type { JSX } from 'react'
import type { DecisionView } from '../../runtime/api/index.ts'
import { Foreign, Json } from '../shared/foreign.tsx'

type Action = DecisionView['actions'][number]

const cut = 'with an input that is too large to show. It begins with'
const impacts = { read: ['Reads only', 'gray'], write: ['Changes something', 'yellow'], high: ['High impact', 'red'] } as const

/** Returns whether the input is complete. Inputs are objects; for one that is too large, the API sends its beginning as text. */
function isWhole(input: unknown): boolean {
  return typeof input !== 'string'
}

/** A call in a line: the skill, and what it acts on. */
export function CallLine({ action: { skill, target } }: { readonly action: Pick<Action, 'skill' | 'target'> }): JSX.Element {
  return (
    <>
      <Foreign value={skill} />
      {target !== null && (
        <>
          {' '}
          on{' '}
          <strong>
            <Foreign value={target} />
          </strong>
        </>
      )}
    </>
  )
}

/** The impact of a skill, and what takes it back. */
function Impact({ about }: { readonly about: Action['about'] }): JSX.Element {
  if (about === null) return <Badge color="gray">Impact unknown: no loaded plugin has this skill</Badge>
  const [words, colour] = impacts[about.impact]
  return (
    <Group gap={6}>
      <Badge color={colour}>{words}</Badge>
      {about.undo === null ? (
        <Text size="sm" c="dimmed">
          Cannot be undone by Tocsin
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          Can {about.undo.conditional && 'sometimes '}be undone with <Foreign value={about.undo.skill} />
        </Text>
      )}
    </Group>
  )
}

/**
 * One call that a decision asks about: exactly what is sent, and its impact.
 * @param label names the input for screen readers; no other call of the page has it
 */
export function Call({ action, label }: { readonly action: Action; readonly label: string }): JSX.Element {
  const { about, connection, connection_revision, input } = action
  return (
    <article className="action">
      <Title order={3}>
        <CallLine action={action} />
      </Title>
      <Impact about={about} />
      {about?.warnings.map((warning) => (
        <Text key={warning} size="sm">
          Warning: <Foreign value={warning} />
        </Text>
      ))}
      <Text size="sm">
        via the connection <Foreign value={connection} /> (revision {connection_revision}), {isWhole(input) ? 'with exactly this input' : cut}:
      </Text>
      <Json value={input} label={label} />
    </article>
  )
}
