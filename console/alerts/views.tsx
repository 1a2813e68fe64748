import { ActionIcon, Button, Group, Menu, Modal, TextInput } from '@mantine/core'
import { type JSX, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Foreign } from '../shared/foreign.tsx'
import { IconBookmark, IconTrash } from '../shared/icons.ts'

interface View {
  readonly name: string
  /** The query of the list's address: its filters, sort and columns. */
  readonly query: string
}

const builtIn: readonly View[] = [
  { name: 'All alerts', query: '' },
  { name: 'Failed', query: 'status=Failed' },
  { name: 'In progress', query: 'finished=false' },
  { name: 'Last 24 hours', query: 'since=24' },
]
/** Where this browser keeps the views that people save. */
const place = 'tocsin.alerts.views'
const mostViews = 50

function savedViews(): readonly View[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one): one is View => typeof one?.name === 'string' && typeof one?.query === 'string') : []
  } catch {
    return []
  }
}

/** The saved views of the list: some that everybody has, and those that this browser keeps. */
export function Views(): JSX.Element {
  const [params, setParams] = useSearchParams()
  const [saved, setSaved] = useState(savedViews)
  const [naming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const keep = (views: readonly View[]): void => {
    localStorage.setItem(place, JSON.stringify(views))
    setSaved(views)
  }
  const current = [...builtIn, ...saved].find(({ query }) => query === params.toString())
  const save = (): void => {
    const wanted = name.trim()
    if (wanted === '') return
    keep([...saved.filter((view) => view.name !== wanted), { name: wanted, query: params.toString() }].slice(-mostViews))
    setNaming(false)
    setName('')
  }
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} stroke={1.6} />}>
            <Foreign value={current?.name ?? 'Views'} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {builtIn.map(({ name: title, query }) => (
            <Menu.Item key={title} onClick={() => setParams(query)}>
              {title}
            </Menu.Item>
          ))}
          {saved.length > 0 && <Menu.Label>Saved in this browser</Menu.Label>}
          {saved.map((view) => (
            <Group key={view.name} wrap="nowrap" gap={0}>
              <Menu.Item onClick={() => setParams(view.query)}>
                <Foreign value={view.name} />
              </Menu.Item>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove the view ${view.name}`}
                onClick={() => keep(saved.filter((one) => one !== view))}
              >
                <IconTrash size={15} />
              </ActionIcon>
            </Group>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => setNaming(true)}>Save this view …</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={naming} onClose={() => setNaming(false)} title="Save this view">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            save()
          }}
        >
          <TextInput
            label="Name"
            description="It keeps the filters, the order and the columns, in this browser only."
            maxLength={60}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end" mt="md">
            <Button type="submit" disabled={name.trim() === ''}>
              Save
            </Button>
          </Group>
        </form>
      </Modal>
    </>
  )
}
