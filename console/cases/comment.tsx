import { Button, Combobox, Group, Text, Textarea, useCombobox, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type JSX, type KeyboardEvent, useRef, useState } from 'react'
import { Foreign } from '../shared/foreign.tsx'
import { useBegun } from '../shell/begun.ts'
import { useShortcut } from '../shell/shortcuts.tsx'
import { peopleOf } from './requests.ts'
import { typedSince, useCaseAct } from './use-case.ts'

/** What somebody types after an `@`, up to the caret. Null: nobody is being mentioned. */
function mentionAt(text: string, caret: number): { readonly from: number; readonly begin: string } | null {
  const before = text.slice(0, caret)
  const from = before.lastIndexOf('@')
  if (from < 0 || (from > 0 && !/\s|[([{,;:]/.test(before.charAt(from - 1)))) return null
  const begin = before.slice(from + 1)
  return begin.length > 60 || begin.includes('\n') ? null : { from, begin }
}

/** The form of a comment. `@` completes names. Control and Enter sends it. */
export function CommentForm({ id }: { readonly id: string }): JSX.Element {
  const act = useCaseAct(id)
  const field = useRef<HTMLTextAreaElement>(null)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const begun = useBegun<string>(`comment ${id}`)
  const [text, setText] = useState(begun.read() ?? '')
  const [caret, setCaret] = useState(0)
  const { data } = useQuery(peopleOf(id))
  useShortcut('c', 'Comment', () => field.current?.focus())
  const mention = mentionAt(text, caret)
  const names = [...new Set(data?.items.map(({ name }) => name) ?? [])]
  const fitting = mention === null ? [] : names.filter((name) => name.toLowerCase().startsWith(mention.begin.toLowerCase())).slice(0, 6)
  const write = (next: string): void => {
    if (next === '') begun.forget()
    else begun.keep(next)
    setText(next)
  }
  const send = (): void => {
    if (text.trim() === '' || act.isPending) return
    // Whoever leaves the page before the answer comes, and returns, must not send it twice.
    begun.forget()
    act.mutateAsync({ method: 'POST', part: '/comments', body: { text }, what: 'The comment was not added' }).then(
      () => write(typedSince(text, begun.read() ?? '')),
      () => begun.read() === undefined && write(text),
    )
  }
  const complete = (name: string): void => {
    if (mention === null) return
    const next = `${text.slice(0, mention.from)}@${name} `
    write(`${next}${text.slice(caret)}`)
    setCaret(next.length)
    combobox.closeDropdown()
    requestAnimationFrame(() => field.current?.setSelectionRange(next.length, next.length))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      send()
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Combobox store={combobox} onOptionSubmit={complete} position="bottom-start" withinPortal={false}>
        <Combobox.Target withAriaAttributes={fitting.length > 0} targetType="input">
          <Textarea
            ref={field}
            aria-label="Comment"
            placeholder="Comment. @ mentions a person."
            autosize
            minRows={2}
            maxRows={12}
            maxLength={20_000}
            value={text}
            onChange={({ currentTarget }) => {
              write(currentTarget.value)
              setCaret(currentTarget.selectionStart)
              combobox.openDropdown()
              combobox.updateSelectedOptionIndex()
            }}
            onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
            onBlur={() => combobox.closeDropdown()}
            onKeyDown={onKeyDown}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={fitting.length === 0}>
          <Combobox.Options aria-label="People">
            {fitting.map((name) => (
              <Combobox.Option key={name} value={name}>
                <Foreign value={name} />
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <Group justify="space-between" mt={6}>
        <Text size="xs" c="dimmed">
          Ctrl and Enter sends it.
        </Text>
        <VisuallyHidden role="status">{act.isSuccess && text === '' && 'Your comment is in the timeline.'}</VisuallyHidden>
        <Button type="submit" size="xs" disabled={text.trim() === ''} loading={act.isPending}>
          Comment
        </Button>
      </Group>
    </form>
  )
}
