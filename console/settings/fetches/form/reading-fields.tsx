import { NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { JSX } from 'react'
import type { ProviderView, SkillView } from '../../../../runtime/api/index.ts'
import { useMay } from '../../../shell/who.ts'
import { PlaceField } from '../../sources/place-field.tsx'
import { useChoices } from '../../use-pages.ts'
import { names } from './draft.ts'
import { listsIn } from './places.ts'
import type { FieldsProps } from './source-fields.tsx'

/** Where an item has what an alert needs. */
const parts = [
  { field: 'alert_type_at', example: '/rule/name', description: 'The alert type decides which playbook runs.' },
  { field: 'idempotency_key_at', example: '/id', description: 'An item with an id that was fetched before makes no second alert.' },
  {
    field: 'created_at_source_at',
    example: '/created',
    description: 'When the system made it. Then its clock says from when on to ask.',
  },
] as const

interface ReadingProps extends FieldsProps {
  readonly skill: SkillView | null
  /** The texts and numbers in the first alert of the last trial, by place. */
  readonly sample: ReadonlyMap<string, string>
}

/** How an answer becomes alerts. What the skill's schema names, and what a trial has found, is offered. */
export function ReadingFields({ draft, problemOf, set, skill, sample }: ReadingProps): JSX.Element {
  const mayList = useMay()('providers:read')
  const providers = useChoices<ProviderView>('/platformapi/providers', { enabled: mayList })
  const lists = listsIn(skill?.output)
  const known = lists.find(({ place }) => place === draft.items_at)?.items ?? new Map<string, string>()
  const choices = [...new Set([...known.keys(), ...sample.keys()])]
  /** Says what is at a place. */
  const about = (place: string, description: string): string => {
    if (place === '') return description
    const value = sample.get(place)
    if (value !== undefined) return `In the first alert: ${value.slice(0, 100)}`
    if (sample.size > 0) return 'The first alert has no text and no number there.'
    return known.get(place) || description
  }
  const codes = [...new Set([...providers.rows.map(({ code }) => code), ...(draft.alert_provider === '' ? [] : [draft.alert_provider])])]
  const provider = {
    label: names.alert_provider,
    description: 'The kind of alert source.',
    required: true,
    value: draft.alert_provider,
    error: problemOf('alert_provider'),
  }
  return (
    <Stack gap="md">
      <PlaceField
        label={names.items_at}
        description="In the answer of the skill. Empty: the whole answer is the list."
        example="/detections"
        choices={lists.map(({ place }) => place).filter((place) => place !== '')}
        value={draft.items_at}
        error={problemOf('items_at')}
        onChange={(items_at) => set({ items_at })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {mayList ? (
          <NativeSelect
            {...provider}
            data={[{ value: '', label: 'Choose one' }, ...codes.map((code) => ({ value: code, label: labelOf(code, providers.rows) }))]}
            onChange={({ currentTarget }) => set({ alert_provider: currentTarget.value })}
          />
        ) : (
          <TextInput {...provider} maxLength={256} onChange={({ currentTarget }) => set({ alert_provider: currentTarget.value })} />
        )}
        <TextInput
          label={names.alert_type}
          description="For each alert that has no type of its own."
          maxLength={200}
          value={draft.alert_type}
          error={problemOf('alert_type')}
          onChange={({ currentTarget }) => set({ alert_type: currentTarget.value })}
        />
        {parts.map(({ field, example, description }) => (
          <PlaceField
            key={field}
            label={names[field]}
            description={about(draft[field], description)}
            example={example}
            choices={choices}
            value={draft[field]}
            error={problemOf(field)}
            onChange={(place) => set({ [field]: place })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

function labelOf(code: string, rows: readonly ProviderView[]): string {
  const name = rows.find((row) => row.code === code)?.name ?? code
  return name === code ? code : `${code} (${name})`
}
