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
  readonly onCompare: () => void
  readonly onAccept: () => void
}

/** Says that somebody else has activated another text since the editing began. */
export function ChangedMeanwhile({ place, revision, by, onCompare, onAccept }: ChangedMeanwhileProps): JSX.Element {
  return (
    <Alert role="alert" color="orange" title={`Revision ${revision} became active while you were editing`}>
      <Text size="sm">
        {by === null ? 'Tocsin' : <Foreign value={by} />} activated it. Your text does not have that change, and nothing of yours is lost.
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
