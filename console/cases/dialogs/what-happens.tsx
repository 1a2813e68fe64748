import { Radio, Stack } from '@mantine/core'
import type { JSX } from 'react'
import { useMay } from '../../shell/who.ts'

/** What happens to the open decisions of a case that somebody closes. */
export type Then = 'leave' | 'decline'

interface WhatHappensProps {
  readonly chosen: Then | null
  readonly onChoose: (then: Then) => void
}

/** Asks what happens to open decisions that a closed case would hide. No answer is chosen in advance. */
export function WhatHappens({ chosen, onChoose }: WhatHappensProps): JSX.Element {
  const may = useMay()
  return (
    <Radio.Group label="What happens to them?" value={chosen} onChange={(value) => onChoose(value as Then)} required>
      <Stack gap="xs" mt="xs">
        <Radio value="leave" label="They stay open, and their runs wait" />
        <Radio
          value="decline"
          label="Decline them"
          description={may('decisions:answer') ? 'A write in doubt is given up.' : 'Your key may not answer decisions.'}
          disabled={!may('decisions:answer')}
        />
      </Stack>
    </Radio.Group>
  )
}
