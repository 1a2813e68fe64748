import { Alert, Button, Group, Text } from '@mantine/core'
import type { JSX } from 'react'
import { Link } from 'wouter'
import { Foreign } from '../shared/foreign.tsx'
import { pageOf } from './addresses.ts'
import type { Place } from './queries.ts'

interface ChangedMeanwhileProps {
  readonly place: Place
  readonly revision: number
  readonly by: string | null
  /** Whether the text began from another revision. Otherwise it began from an alert, a template or nothing. */
  readonly edited: boolean
  readonly onCompare: () => void
  readonly onAccept: () => void
}

/** Says that another text is active than the one from which the editing began. */
export function ChangedMeanwhile({ place, revision, by, edited, onCompare, onAccept }: ChangedMeanwhileProps): JSX.Element {
  return (
    <Alert
      role="alert"
      color="orange"
      title={
        edited ? (
          `Revision ${revision} became active while you were editing`
        ) : (
          <>
            <Foreign value={place.key} /> has a playbook already: revision {revision}
          </>
        )
      }
    >
      <Text size="sm">
        {by === null ? 'Tocsin' : <Foreign value={by} />} activated it.{' '}
        {edited ? 'Your text does not have that change, and nothing of yours is lost.' : 'If you activate your text, it replaces that playbook.'}
      </Text>
      <Group gap="xs" mt={6}>
        <Button size="compact-sm" variant="default" onClick={onCompare}>
          Compare with it
        </Button>
        <Button size="compact-sm" variant="default" onClick={onAccept}>
          I have seen it: mine replaces it
        </Button>
        <Link href={pageOf(place)}>Open it</Link>
      </Group>
    </Alert>
  )
}
