import { Button, Group, NativeSelect, Stack, Textarea, TextInput, Title } from '@mantine/core'
import { type FormEvent, type JSX, useEffect, useRef, useState } from 'react'
import type { ConnectionAnswer, IntegrationView } from '../../../runtime/api/index.ts'
import { connectionPath } from '../../api/integrations.ts'
import { Refused } from '../../api/refused.ts'
import { ConflictNote } from '../../shared/drafts/conflict-note.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { useWho } from '../../shell/who.ts'
import { AdvancedFields } from './advanced-fields.tsx'
import { CredentialInput } from './credential-input.tsx'
import { changedFields, draftOf, fieldsOf, typedFields, withoutKey } from './draft.ts'
import { PasteZone } from './paste-zone.tsx'
import { useConnectionForm } from './use-connection-form.ts'
import { useEntryCheck } from './use-entry-check.ts'
import type { Saved } from './use-save.ts'

interface FormProps {
  readonly integration: IntegrationView
  /** The connection that is changed. Null: a new one. */
  readonly standing: ConnectionAnswer | null
  /** The organizations that may own it. */
  readonly organizations: readonly string[]
  /** Instance names that other connections have. */
  readonly taken: readonly string[]
  onSaved(saved: Saved): void
  onCancel(): void
}

const shared = ' shared'

/** Makes or changes a connection. The API checks it while a person types, by the rules of the manifest. */
export function ConnectionForm({ integration, standing: opened, organizations, taken, onSaved, onCancel }: FormProps): JSX.Element {
  const { all_organizations: mayShare } = useWho()
  const { standing, draft, pasted, save, set, ...edit } = useConnectionForm({ integration, opened, organizations, taken, onSaved })
  const [strict, setStrict] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const keys = integration.credentials.flatMap(({ paste_key: key }) => key ?? [])

  const entry = {
    ...(standing && { connection: standing.id }),
    ...(draft.paste !== null && { paste: draft.paste }),
    role: draft.role === '' ? null : draft.role,
  }
  // The fields of the file are known only from the answer. A field in both would be refused, so the last answer decides which are sent.
  const credentials = standing ? changedFields(integration.credentials, draft, standing, pasted) : typedFields(integration.credentials, draft, pasted)
  const { checked, error: unchecked } = useEntryCheck(integration.id, { ...entry, credentials })
  const refusedFields = save.error instanceof Refused ? (save.error.problem.errors ?? []) : []
  const problemOf = (field: string): string | null => refusedFields.find((each) => each.field === field)?.message ?? null

  useEffect(() => {
    if (save.error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [save.error])
  const inFields = refusedFields.length > 0 && refusedFields.every(({ field }) => field.startsWith('credentials.'))

  const takeFile = (paste: string | null): void => {
    const fills = new Set(
      paste === null ? [] : integration.credentials.flatMap(({ name, paste_key: key }) => (key !== null && hasKey(paste, key) ? [name] : [])),
    )
    edit.takeFile(paste, fills)
  }
  const submit = (event: FormEvent, test: boolean): void => {
    event.preventDefault()
    setStrict(true)
    // The last check may be older than the form, so the API decides.
    save.send(test)
  }

  const input = (field: IntegrationView['credentials'][number]): JSX.Element => {
    const said = checked?.fields.find(({ name }) => name === field.name) ?? null
    const refused = problemOf(`credentials.${field.name}`)
    return (
      <CredentialInput
        key={field.name}
        field={field}
        value={draft.fields[field.name]}
        checked={said && refused !== null ? { ...said, problem: refused } : said}
        strict={strict || draft.paste !== null}
        set={field.secret && (standing?.secrets_set.includes(field.name) ?? false)}
        onChange={(value) => set({ fields: { ...draft.fields, [field.name]: value } })}
        onType={() => field.paste_key !== null && takeFile(withoutKey(draft.paste ?? '', field.paste_key))}
      />
    )
  }
  const plain = integration.credentials.filter(({ advanced }) => !advanced)
  const conflict = save.error instanceof Refused && save.error.problem.code === 'connection_changed'

  return (
    <form
      ref={form}
      onSubmit={(event) => submit(event, true)}
      noValidate
      aria-label={standing ? `Change ${standing.instance}` : `Connect ${integration.name}`}
    >
      <Stack gap="md" maw={760}>
        <Title order={2} size="h4">
          {standing ? `Change ${standing.instance}` : `Connect ${integration.name}`}
        </Title>
        {keys.length > 0 && <PasteZone keys={keys} paste={draft.paste} problems={checked?.problems ?? []} filled={pasted.size} onPaste={takeFile} />}
        {plain.map(input)}
        <Group grow align="flex-start">
          <TextInput
            label="Instance"
            description="A name that is unique in its organization."
            withAsterisk
            value={draft.instance}
            error={problemOf('instance')}
            onChange={(event) => set({ instance: event.currentTarget.value })}
          />
          {standing === null && (
            <NativeSelect
              label="Organization"
              description="Who owns it. This cannot be changed later."
              data={[...organizations, ...(mayShare ? [{ value: shared, label: 'Shared by all organizations' }] : [])]}
              value={draft.organization ?? shared}
              error={problemOf('organization')}
              onChange={(event) => set({ organization: event.currentTarget.value === shared ? null : event.currentTarget.value })}
            />
          )}
        </Group>
        <Textarea
          label="Description"
          description="Purpose and environment."
          autosize
          minRows={1}
          maxRows={6}
          value={draft.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
        <AdvancedFields integration={integration} draft={draft} problemOf={problemOf} onChange={set}>
          {integration.credentials.filter(({ advanced }) => advanced).map(input)}
        </AdvancedFields>
        {(checked?.problems ?? [])
          .filter(({ field }) => field !== 'paste')
          .map(({ field, message }) => (
            <div role="alert" key={field}>
              {field} {message}
            </div>
          ))}
        {unchecked && <ProblemNote error={unchecked} />}
        {conflict && standing && (
          <ConflictNote
            what="connection"
            path={connectionPath(standing.id)}
            standing={standing}
            mine={fieldsOf(draft)}
            unseen="secrets, or nothing that this form shows"
            fieldsOf={(connection) => fieldsOf(draftOf(connection))}
            onTheirs={edit.takeTheirs}
            onMine={edit.keepMine}
          />
        )}
        {save.error && !conflict && !inFields && <ProblemNote error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            Save and test
          </Button>
          <Button variant="default" disabled={save.isPending} onClick={(event) => submit(event, false)}>
            Save
          </Button>
          <Button
            variant="subtle"
            disabled={save.isPending}
            onClick={() => {
              edit.leave()
              onCancel()
            }}
          >
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Whether a text seems to have a key. Only a guess for the first check: the API decides. */
function hasKey(text: string, key: string): boolean {
  return text.split(/\r\n|\r|\n/).some((line) => line.trimStart().startsWith(key) && /^\s*[=:]/.test(line.trimStart().slice(key.length)))
}
