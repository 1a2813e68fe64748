import { Alert, Button, Code, CopyButton, Group, Stack, Text, Title } from '@mantine/core'
import { type FormEvent, type JSX, type ReactNode, useState } from 'react'
import { Foreign } from '../shared/foreign.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Empty, Loading } from '../shared/states.tsx'
import { Dialog } from '../shell/dialog.tsx'
import type { Pages } from './use-pages.ts'

/** A part of the settings: its heading, what it is for, its actions and its content. */
export function Part(props: {
  readonly title: string
  readonly about: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}): JSX.Element {
  return (
    <section aria-label={props.title}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="xs">
        <Title order={2}>{props.title}</Title>
        {props.actions !== undefined && <Group gap="xs">{props.actions}</Group>}
      </Group>
      <Text size="sm" c="dimmed" maw="46rem" mb="md">
        {props.about}
      </Text>
      {props.children}
    </section>
  )
}

/** The rows of a list, or why there are none. */
export function Rows<Row>({
  of: { rows, pending, error, more },
  empty,
  children,
}: {
  readonly of: Pages<Row>
  readonly empty: { readonly title: string; readonly text?: ReactNode }
  readonly children: (rows: readonly Row[]) => ReactNode
}): JSX.Element {
  return (
    <>
      {error && <ProblemNote error={error} />}
      {pending && <Loading />}
      {!pending && !error && rows.length === 0 && more === null && <Empty title={empty.title}>{empty.text}</Empty>}
      {!pending && rows.length === 0 && more !== null && <Text size="sm">The newest have nothing to show here. There are older ones.</Text>}
      {rows.length > 0 && children(rows)}
      {more && (
        <Button variant="default" onClick={more} my="sm">
          Show more
        </Button>
      )}
    </>
  )
}

interface DialogProps {
  readonly title: string
  /** The text of the button that sends the form. */
  readonly action: string
  readonly risky?: boolean
  readonly pending: boolean
  readonly error: Error | null
  readonly onClose: () => void
  /** Gets the fields of the form. */
  readonly onSubmit: (fields: FormData) => void
  readonly children: ReactNode
}

/** A dialog with a form. It stays open, with what was typed, until the change is made. */
export function FormDialog({ title, action, risky = false, pending, error, onClose, onSubmit, children }: DialogProps): JSX.Element {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (!pending) onSubmit(new FormData(event.currentTarget))
  }
  return (
    <Dialog onClose={onClose} title={title} busy={pending}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {children}
          {error && <ProblemNote error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={pending}>
              Cancel
            </Button>
            <Button type="submit" loading={pending} color={risky ? 'red' : 'harbour'}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** A dialog that shows a secret for the only time. It closes only on purpose. */
export function SecretOnce({
  title,
  about,
  value,
  onClose,
}: {
  readonly title: string
  readonly about: ReactNode
  readonly value: string
  readonly onClose: () => void
}): JSX.Element {
  const [copied, setCopied] = useState(false)
  return (
    <Dialog onClose={onClose} title={title} closeOnEscape={false} withCloseButton={false}>
      <Stack gap="sm">
        <Text size="sm">{about}</Text>
        <Code block className="secret">
          {value}
        </Code>
        <Alert color="yellow">Copy it now. Nobody can show it again.</Alert>
        <Group justify="flex-end">
          <CopyButton value={value}>
            {({ copy }) => (
              <Button
                onClick={() => {
                  copy()
                  setCopied(true)
                }}
              >
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            I have kept it
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Returns a field of a form without the space around it. Null: it is empty. */
export function textIn(fields: FormData, name: string): string | null {
  const value = String(fields.get(name) ?? '').trim()
  return value === '' ? null : value
}

/** Names who did something. */
export function By({ name }: { readonly name: string }): JSX.Element {
  return (
    <strong>
      <Foreign value={name} />
    </strong>
  )
}
