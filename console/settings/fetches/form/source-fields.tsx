import { NativeSelect, Stack, TextInput } from '@mantine/core'
import type { JSX } from 'react'
import type { ConnectionAnswer, FetchAnswer, SkillView } from '../../../../runtime/api/index.ts'
import { useOrganizations } from '../../../integrations/organizations.ts'
import { useWho } from '../../../shell/who.ts'
import { type Draft, names } from './draft.ts'
import { InputField } from './input-field.tsx'
import { guessOf, listsIn } from './places.ts'

export interface FieldsProps {
  readonly draft: Draft
  /** What is wrong with a field, as the API says it. Null: nothing. */
  problemOf(field: keyof Draft): string | null
  set(change: Partial<Draft>): void
}

interface SourceProps extends FieldsProps {
  readonly standing: FetchAnswer | null
  /** All connections that the key may see. */
  readonly connections: readonly ConnectionAnswer[]
  /** The skills of the chosen connection that only read. */
  readonly skills: readonly SkillView[]
  readonly skill: SkillView | null
}

/** What is called: the connection of an organization, a skill that only reads, and its input. */
export function SourceFields({ draft, problemOf, set, standing, connections, skills, skill }: SourceProps): JSX.Element {
  const { all_organizations: all } = useWho()
  const codes = useOrganizations() ?? []
  const organizations = [...new Set([...codes, ...connections.flatMap(({ organization_code: code }) => code ?? [])])]
  // The data of a shared connection become the alerts of one organization. Only a key of all organizations may decide that.
  const usable = connections.filter(({ organization_code: code }) => (code === null ? all : code === draft.organization_code))
  const choices = usable.map(({ id, instance, integration, organization_code: code }) => ({
    value: id,
    label: `${instance} (${integration}${code === null ? ', shared' : ''})`,
  }))
  const gone = draft.connection !== '' && choices.every(({ value }) => value !== draft.connection)
  const takeSkill = (id: string): void => {
    const next = skills.find((one) => one.id === id) ?? null
    // What was only guessed for another skill goes with it.
    const [before, guess] = [guessOf(skill?.output), guessOf(next?.output)]
    const untouched = (field: keyof typeof guess): boolean => draft[field] === '' || draft[field] === before[field]
    set({
      skill: next === null ? '' : bareName(next),
      ...(untouched('items_at') && { items_at: guess.items_at }),
      ...(untouched('idempotency_key_at') && { idempotency_key_at: guess.idempotency_key_at }),
    })
  }
  return (
    <Stack gap="md">
      <TextInput
        label={names.name}
        description="What people call it: Detections of Acme."
        required
        maxLength={100}
        value={draft.name}
        error={problemOf('name')}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      {standing === null && (
        <NativeSelect
          label={names.organization_code}
          description="Whose alerts they are. This cannot be changed later."
          required
          data={[{ value: '', label: 'Choose one' }, ...organizations]}
          value={draft.organization_code}
          error={problemOf('organization_code')}
          onChange={({ currentTarget }) => set({ organization_code: currentTarget.value, connection: '', skill: '' })}
        />
      )}
      <NativeSelect
        label={names.connection}
        description={draft.organization_code === '' ? 'Choose the organization first.' : 'Of the organization, or shared by all.'}
        required
        disabled={draft.organization_code === ''}
        data={[{ value: '', label: 'Choose one' }, ...(gone ? [{ value: draft.connection, label: goneLabel(standing) }] : []), ...choices]}
        value={draft.connection}
        error={problemOf('connection')}
        onChange={({ currentTarget }) =>
          set({ connection: currentTarget.value, ...(sameSystem(connections, draft, currentTarget.value) ? {} : { skill: '' }) })
        }
      />
      <NativeSelect
        label={names.skill}
        description={skill === null ? 'A skill that only reads. It lists the alerts.' : skill.purpose}
        required
        disabled={draft.connection === ''}
        data={[
          { value: '', label: 'Choose one' },
          ...(skill === null && draft.skill !== '' ? [{ value: draft.skill, label: draft.skill }] : []),
          { group: 'Their answers have a list', items: skillChoices(skills.filter(hasList)) },
          { group: 'Others', items: skillChoices(skills.filter((one) => !hasList(one))) },
        ].filter((choice) => !('items' in choice) || choice.items.length > 0)}
        value={skill?.id ?? draft.skill}
        error={problemOf('skill')}
        onChange={({ currentTarget }) => takeSkill(currentTarget.value)}
      />
      <InputField skill={skill} value={draft.input} error={problemOf('input')} onChange={(input) => set({ input })} />
    </Stack>
  )
}

const hasList = ({ output }: SkillView): boolean => listsIn(output).length > 0
const skillChoices = (skills: readonly SkillView[]) => skills.map(({ id, title }) => ({ value: id, label: `${title} (${id})` }))

/** The name of a skill without that of the integration, as a fetch keeps it. */
export const bareName = ({ id }: SkillView): string => id.slice(id.indexOf('.') + 1)

/** Whether two connections lead to systems of one kind, so that the skill stays. */
function sameSystem(connections: readonly ConnectionAnswer[], { connection }: Draft, next: string): boolean {
  const kind = (id: string): string | undefined => connections.find((one) => one.id === id)?.integration
  return kind(connection) !== undefined && kind(connection) === kind(next)
}

function goneLabel(standing: FetchAnswer | null): string {
  return standing?.instance ?? 'A connection that was removed'
}
