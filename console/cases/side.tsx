import { ActionIcon, Badge, Button, Checkbox, Group, Stack, TagsInput, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, type JSX, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { CaseDetailsView } from '../../runtime/api/index.ts'
import { CaseStatusBadge } from '../shared/badges.tsx'
import { Foreign } from '../shared/foreign.tsx'
import { IconTrash } from '../shared/icons.ts'
import { AlertLink, addressOf, CaseLink } from '../shared/links.tsx'
import { AndMore } from '../shared/list/and-more.tsx'
import { Time } from '../shared/time/time.tsx'
import { useMay } from '../shell/who.ts'
import { typedSince, useCaseAct } from './use-case.ts'

/** The most alerts that are listed. */
const mostAlerts = 50

interface Found {
  readonly found: CaseDetailsView
}

/** A part of the page, with its heading. */
export function Part({ name, children }: { readonly name: string; readonly children: ReactNode }): JSX.Element {
  return (
    <section aria-label={name} className="case-part">
      <Title order={2}>{name}</Title>
      {children}
    </section>
  )
}

export function Tags({ found }: Found): JSX.Element {
  const act = useCaseAct(found.case_id)
  const may = useMay()
  if (!may('cases:write'))
    return (
      <Group gap={4}>
        {found.tags.map((tag) => (
          <Badge key={tag} color="gray">
            <Foreign value={tag} />
          </Badge>
        ))}
      </Group>
    )
  const change = (tags: string[]): void => {
    const add = tags.filter((tag) => !found.tags.includes(tag))
    const remove = found.tags.filter((tag) => !tags.includes(tag))
    act.mutate({ method: 'POST', part: '/tags', body: { add, remove }, expect: { tags }, what: 'The tags were not changed' })
  }
  return (
    <TagsInput
      aria-label="Tags"
      placeholder={found.tags.length === 0 ? 'Add a tag, then Enter' : ''}
      value={[...found.tags]}
      maxLength={50}
      size="xs"
      onChange={change}
    />
  )
}

export function Tasks({ found }: Found): JSX.Element {
  const act = useCaseAct(found.case_id)
  const may = useMay()
  const [text, setText] = useState('')
  const add = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() === '' || act.isPending) return
    const onSuccess = (): void => setText((now) => typedSince(text, now))
    act.mutate({ method: 'POST', part: '/tasks', body: { text }, what: 'The task was not added' }, { onSuccess })
  }
  return (
    <Stack gap={6}>
      {found.tasks.map(({ id, text: task, done_at, done_by, assignee }) => (
        <Group key={id} gap={6} wrap="nowrap" align="flex-start">
          <Checkbox
            size="xs"
            mt={3}
            checked={done_at !== null}
            disabled={!may('cases:write')}
            aria-label={`Done: ${task}`}
            onChange={({ currentTarget: { checked } }) =>
              act.mutate({
                method: 'PATCH',
                part: `/tasks/${encodeURIComponent(id)}`,
                body: { done: checked },
                expect: { tasks: found.tasks.map((one) => (one.id === id ? { ...one, done_at: checked ? Date.now() : null } : one)) },
                what: 'The task was not changed',
              })
            }
          />
          <Text size="sm" flex={1} component="div">
            <Text td={done_at === null ? undefined : 'line-through'} component="span" inherit>
              <Foreign value={task} />
            </Text>
            {(assignee !== null || done_by !== null) && (
              <Text size="xs" c="dimmed">
                <Foreign value={done_by === null ? `for ${assignee}` : `done by ${done_by}`} />
              </Text>
            )}
          </Text>
          {may('cases:write') && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={`Remove: ${task}`}
              onClick={() =>
                act.mutate({
                  method: 'DELETE',
                  part: `/tasks/${encodeURIComponent(id)}`,
                  expect: { tasks: found.tasks.filter((one) => one.id !== id) },
                  what: 'The task was not removed',
                })
              }
            >
              <IconTrash size={14} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {may('cases:write') ? (
        <form onSubmit={add}>
          <Group gap={6} wrap="nowrap">
            <TextInput
              aria-label="New task"
              placeholder="Add a task"
              size="xs"
              flex={1}
              value={text}
              maxLength={1_000}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
            <Button size="xs" variant="default" type="submit" disabled={text.trim() === ''} loading={act.isPending}>
              Add
            </Button>
          </Group>
        </form>
      ) : (
        found.tasks.length === 0 && <Nothing />
      )}
    </Stack>
  )
}

export function Alerts({ found }: Found): JSX.Element {
  const all = [...found.alerts, ...found.merged.flatMap(({ alerts }) => alerts)]
  return (
    <Stack gap={2}>
      {all.slice(0, mostAlerts).map(({ alert_id }) => (
        <AlertLink key={alert_id} id={alert_id} copy />
      ))}
      <AndMore all={all.length} shown={mostAlerts} />
    </Stack>
  )
}

export function Decisions({ found }: Found): JSX.Element {
  if (found.open_decisions.length === 0) return <Nothing />
  return (
    <Stack gap={6}>
      {found.open_decisions.map(({ id, title, expires_at }) => (
        <Text key={id} size="sm" component="div">
          <Link href={addressOf.decision(id)}>
            <Foreign value={title} />
          </Link>
          {expires_at !== null && (
            <Text size="xs" c="dimmed">
              expires <Time at={expires_at} />
            </Text>
          )}
        </Text>
      ))}
    </Stack>
  )
}

/** Linked and merged cases. */
export function Others({ found, onConnect }: Found & { readonly onConnect: () => void }): JSX.Element {
  const act = useCaseAct(found.case_id)
  const may = useMay()
  return (
    <Stack gap={6}>
      {found.merged.map((other) => (
        <Other key={other.case_id} other={other} word="merged into this case" />
      ))}
      {found.links.map((other) => (
        <Group key={other.case_id} gap={4} wrap="nowrap" justify="space-between" align="flex-start">
          <Other other={other} word="linked" />
          {may('cases:write') && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={`Remove the link to ${other.case_id}`}
              onClick={() =>
                act.mutate({
                  method: 'DELETE',
                  part: `/links/${encodeURIComponent(other.case_id)}`,
                  expect: { links: found.links.filter((one) => one !== other) },
                  what: 'The link was not removed',
                })
              }
            >
              <IconTrash size={14} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {found.links.length + found.merged.length === 0 && !may('cases:write') && <Nothing />}
      {may('cases:write') && (
        <Button size="xs" variant="default" onClick={onConnect}>
          Link or merge …
        </Button>
      )}
    </Stack>
  )
}

function Other({ other, word }: { readonly other: CaseDetailsView['links'][number]; readonly word: string }): JSX.Element {
  return (
    <div>
      <Group gap={6}>
        <CaseLink id={other.case_id} />
        {other.status !== undefined && <CaseStatusBadge status={other.status} />}
      </Group>
      <Text size="xs" c="dimmed">
        {other.title !== undefined && <Foreign value={other.title} />} {word} by <Foreign value={other.by} />
      </Text>
    </div>
  )
}

function Nothing(): JSX.Element {
  return (
    <Text size="sm" c="dimmed">
      None
    </Text>
  )
}
