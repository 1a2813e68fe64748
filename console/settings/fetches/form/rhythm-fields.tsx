import { NumberInput, SimpleGrid, Stack, Switch } from '@mantine/core'
import type { JSX } from 'react'
import type { FetchAnswer } from '../../../../runtime/api/index.ts'
import { TimeField } from '../../../shared/time/time-field.tsx'
import { names } from './draft.ts'
import type { FieldsProps } from './source-fields.tsx'

/** When it is fetched, and from when on. */
export function RhythmFields({ draft, problemOf, set, standing }: FieldsProps & { readonly standing: FetchAnswer | null }): JSX.Element {
  const numbers = [
    { field: 'every_seconds', min: 10, max: 86_400, description: 'How long after an attempt the next one begins: 10 to 86,400.' },
    { field: 'overlap_seconds', min: 0, max: 604_800, description: 'How much earlier it asks again, for alerts that the system shows late.' },
  ] as const
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {numbers.map(({ field, min, max, description }) => (
          <NumberInput
            key={field}
            label={names[field]}
            description={description}
            required
            allowDecimal={false}
            allowNegative={false}
            min={min}
            max={max}
            clampBehavior="none"
            value={draft[field] ?? ''}
            error={problemOf(field)}
            onChange={(value) => set({ [field]: typeof value === 'number' ? value : null })}
          />
        ))}
      </SimpleGrid>
      <TimeField
        label={standing === null ? names.since : 'Fetch again from'}
        description={
          standing === null
            ? 'For alerts that the system has already.'
            : 'For alerts that were missed. What was fetched before makes no second alert.'
        }
        placeholder={standing === null ? 'Now' : 'It goes on where it was'}
        value={draft.since}
        error={problemOf('since')}
        onChange={(since) => set({ since })}
      />
      <Switch
        label={names.enabled}
        description={draft.enabled ? 'It begins as soon as it is saved.' : 'It fetches nothing.'}
        checked={draft.enabled}
        error={problemOf('enabled')}
        onChange={({ currentTarget }) => set({ enabled: currentTarget.checked })}
      />
    </Stack>
  )
}
