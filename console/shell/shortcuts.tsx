import { Group, Kbd, Modal, Stack, Switch, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Fragment, type JSX, useEffect, useRef, useSyncExternalStore } from 'react'
import { createKeybindingsHandler } from 'tinykeys'

/** A key, or keys after another, and what they do. */
interface Shortcut {
  /** In the syntax of tinykeys: `j`, `g a`, `$mod+k`, `Shift+?`. */
  readonly keys: string
  /** What it does: `Open the alert`. */
  readonly name: string
  /** The heading under which the list of shortcuts shows it. */
  readonly group: string
}

const preference = 'tocsin.shortcuts'
const listeners = new Set<() => void>()
let registered: readonly Shortcut[] = []

function change(next: readonly Shortcut[]): void {
  registered = next
  for (const listener of listeners) listener()
}

/** Returns whether single keys are shortcuts. People who use speech input turn them off (WCAG 2.2, 2.1.4). */
function singleKeysOn(): boolean {
  return localStorage.getItem(preference) !== 'off'
}

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
}

/** The group of the keys of a dialog. They work while it is the only one. */
export const ofDialog = 'This dialog'
/** The group of the keys that work on every page. With `$mod`, they also work while a dialog is open. */
const everywhere = 'Everywhere'

/** Returns whether a key of this group may act now. While a dialog is open, Ctrl and Enter must not send what it covers. */
function isReachable(group: string, plain: boolean): boolean {
  const open = document.querySelectorAll('[role="dialog"][aria-modal="true"]').length
  return open === 0 || (group === ofDialog ? open === 1 : group === everywhere && !plain)
}

/**
 * Makes a key do something while the component is shown, and lists it under `?`. Keys without `$mod` do nothing while somebody types,
 * while a dialog is open, or if the person has turned single keys off.
 * @param action null: the key does nothing now, and is not listed
 */
export function useShortcut(keys: string, name: string, action: (() => void) | null, group = 'This page'): void {
  const latest = useRef(action)
  useEffect(() => {
    latest.current = action
  })
  const active = action !== null
  useEffect(() => {
    if (!active) return
    const shortcut: Shortcut = { keys, name, group }
    change([...registered, shortcut])
    const plain = !keys.includes('$mod')
    const handler = createKeybindingsHandler({
      [keys]: (event) => {
        if (!isReachable(group, plain) || (plain && (isTyping(event) || !singleKeysOn()))) return
        event.preventDefault()
        latest.current?.()
      },
    })
    window.addEventListener('keydown', handler)
    return () => {
      window.removeEventListener('keydown', handler)
      change(registered.filter((one) => one !== shortcut))
    }
  }, [keys, name, group, active])
}

/** The keys of a shortcut, drawn as keys. */
export function Keys({ keys }: { readonly keys: string }): JSX.Element {
  const presses = keys.split(' ').map((press) => press.split('+').filter((part) => part !== 'Shift' || !press.endsWith('?')))
  return (
    <>
      {presses.map((parts, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the keys is fixed
        <Fragment key={at}>
          {at > 0 && <span className="quiet"> then </span>}
          {parts.map((part) => (
            <Kbd key={part}>{part === '$mod' ? (navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl') : part}</Kbd>
          ))}
        </Fragment>
      ))}
    </>
  )
}

/** The dialog that lists all shortcuts of the page. `?` opens it. */
export function ShortcutList(): JSX.Element {
  const [opened, { open, close }] = useDisclosure(false)
  useShortcut('Shift+?', 'Show all shortcuts', open, everywhere)
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => registered,
  )
  const groups = [...Map.groupBy(all, ({ group }) => group)].toSorted(([a], [b]) => Number(a === everywhere) - Number(b === everywhere))
  return (
    <Modal opened={opened} onClose={close} title="Shortcuts" size="lg">
      <Stack>
        {groups.map(([group, shortcuts]) => (
          <Table key={group} withRowBorders={false} verticalSpacing={4} layout="fixed">
            <Table.Caption>{group}</Table.Caption>
            <Table.Tbody>
              {shortcuts.map(({ keys, name }) => (
                <Table.Tr key={`${keys} ${name}`}>
                  <Table.Td>
                    <Group gap={4}>
                      <Keys keys={keys} />
                    </Group>
                  </Table.Td>
                  <Table.Td>{name}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ))}
        <Switch
          defaultChecked={singleKeysOn()}
          label="Single keys are shortcuts"
          description="Turn this off if you use speech input. Shortcuts with Ctrl keep working."
          onChange={({ currentTarget }) => localStorage.setItem(preference, currentTarget.checked ? 'on' : 'off')}
        />
        <Text size="sm" c="dimmed">
          Tab and the arrow keys reach everything as well.
        </Text>
      </Stack>
    </Modal>
  )
}
