import { Group, Text } from '@mantine/core'
import type { JSX, ReactNode } from 'react'
import type { DryRunView, RehearsedCallView } from '../../../runtime/api/index.ts'
import { Foreign, ForeignBlock } from '../../shared/foreign.tsx'
import { ImpactBadge } from '../impact.tsx'

type Shown = DryRunView['vars']

/** A value that may be cut. */
function ShownValue({ shown, label }: { readonly shown: Shown; readonly label: string }): JSX.Element {
  const text = shown.beginning === undefined ? JSON.stringify(shown.value, null, 2) : `${shown.beginning}… (the rest is not shown)`
  return <ForeignBlock value={text ?? ''} label={label} />
}

interface CallProps {
  readonly call: RehearsedCallView
  /** What happened to it: `added`, `answer generated`. */
  readonly note?: ReactNode
}

/** A call that a run would make, with its input. */
export function Call({ call: { step, skill, impact, connection, input }, note }: CallProps): JSX.Element {
  return (
    <div className="call">
      <Group gap={6}>
        <ImpactBadge impact={impact} />
        <Text size="sm" fw={600} component="span">
          <Foreign value={skill} />
        </Text>
        <Text size="xs" c="dimmed" component="span">
          at <Foreign value={step} /> · <Foreign value={connection} />
          {note !== undefined && <> · {note}</>}
        </Text>
      </Group>
      <ShownValue shown={input} label={`Input of ${skill} at ${step}`} />
    </div>
  )
}
