import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type JSX, useEffect, useRef } from 'react'
import type { FetchAnswer } from '../../../../runtime/api/index.ts'
import { connectionList, skillsOf } from '../../../api/integrations.ts'
import { ConflictNote } from '../../../shared/drafts/conflict-note.tsx'
import { Foreign } from '../../../shared/foreign.tsx'
import { ProblemNote } from '../../../shared/problem.tsx'
import { Loading } from '../../../shared/states.tsx'
import { fetchesPath } from '../use-fetch-acts.ts'
import { type Draft, draftOf, inputIn, names } from './draft.ts'
import { ReadingFields } from './reading-fields.tsx'
import { RhythmFields } from './rhythm-fields.tsx'
import { bareName, SourceFields } from './source-fields.tsx'
import { TrialPart } from './trial.tsx'
import { useFetchForm } from './use-fetch-form.ts'
import { useTrial } from './use-trial.ts'

interface FormProps {
  /** The fetch that is changed. Null: a new one. */
  readonly standing: FetchAnswer | null
  onDone(): void
}

/** Makes or changes a fetch of alerts. It can be tried before it is saved. */
export function FetchForm({ standing: opened, onDone }: FormProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null)
  const { standing, draft, save, errors, overtaken, changed, set, takeTheirs, keepMine, send, leave } = useFetchForm(opened, onDone)
  const trial = useTrial()
  const connections = useQuery(connectionList(null))
  const integration = connections.data?.items.find(({ id }) => id === draft.connection)?.integration ?? null
  const skills = useQuery({ ...skillsOf(integration ?? ''), enabled: integration !== null })
  const reading = integration === null ? [] : (skills.data ?? []).filter(({ impact }) => impact === 'read')
  const skill = reading.find((one) => bareName(one) === draft.skill) ?? null
  useEffect(() => {
    if (save.error || trial.error) focusWrong(form.current)
  }, [save.error, trial.error])

  const problemOf = (field: keyof Draft): string | null =>
    [...errors, ...trial.errors]
      .filter(({ field: at }) => at === field || at.startsWith(`${field}.`))
      .map(({ field: at, message }) => said(at.slice(field.length + 1), message))
      .join(' ') || null
  const change = (changes: Partial<Draft>): void => {
    trial.forgetError()
    set(changes)
  }
  const fields = { draft, problemOf, set: change }
  /** Shows what is missing, as the browser does. */
  const check = (): boolean => {
    if (form.current?.reportValidity() !== true) return false
    if (inputIn(draft.input) !== null) return true
    focusWrong(form.current)
    return false
  }
  const title = standing === null ? 'New fetch' : `Change ${standing.name}`
  if (connections.error && !connections.data) return <ProblemNote error={connections.error} />
  if (connections.isPending) return <Loading />
  return (
    <form
      ref={form}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault()
        if (check()) send()
      }}
    >
      <Stack gap="lg" maw={760}>
        <div>
          <Title order={2} size="h4">
            <Foreign value={title} />
          </Title>
          {standing !== null && (
            <Text size="sm" c="dimmed">
              Alerts of {standing.organization_code === null ? 'an organization that was removed' : <Foreign value={standing.organization_code} />}
            </Text>
          )}
        </div>
        <SourceFields {...fields} standing={standing} connections={connections.data.items} skills={reading} skill={skill} />
        {skills.error && <ProblemNote error={skills.error} />}
        <Title order={3} size="h5">
          How an answer becomes alerts
        </Title>
        <ReadingFields {...fields} skill={skill} sample={trial.sample} />
        <Title order={3} size="h5">
          When
        </Title>
        <RhythmFields {...fields} standing={standing} />
        <TrialPart draft={draft} trial={trial} next={draft.since ?? standing?.since ?? null} explained={inFields(trial.errors)} check={check} />
        {overtaken && standing && (
          <ConflictNote
            what="fetch"
            path={`${fetchesPath}/${standing.id}`}
            standing={standing}
            mine={namedFields(draft)}
            fieldsOf={(fetch) => namedFields(draftOf(fetch))}
            onTheirs={takeTheirs}
            onMine={keepMine}
          />
        )}
        {save.error && !overtaken && !inFields(errors) && <ProblemNote error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={standing !== null && !changed}>
            {standing === null ? 'Create the fetch' : 'Save'}
          </Button>
          <Button
            variant="subtle"
            disabled={save.isPending}
            onClick={() => {
              leave()
              onDone()
            }}
          >
            {changed ? 'Discard and go back' : 'Cancel'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Whether each error is shown at its field. */
function inFields(errors: readonly { readonly field: string }[]): boolean {
  return errors.length > 0 && errors.every(({ field }) => (field.split('.')[0] ?? '') in names)
}

/** What is wrong with a part of a field, named if the message does not name it. */
function said(part: string, message: string): string {
  return part === '' || message.startsWith(part) ? message : `${part}: ${message}`
}

/** Leads to the first field with which something is wrong. */
function focusWrong(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}

/** The fields by the names that people see. */
function namedFields(draft: Draft): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(draft).map(([field, value]) => [names[field as keyof Draft], value as unknown]))
}
