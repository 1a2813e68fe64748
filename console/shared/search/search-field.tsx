import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type JSX, useEffect, useRef, useState } from 'react'
import { useShortcut } from '../../shell/shortcuts.tsx'
import { IconSearch } from '../icons.ts'
import { hasWord } from './has-word.ts'

/** How long after the last key a search begins, in milliseconds. */
const pause = 300

interface SearchFieldProps extends Pick<TextInputProps, 'placeholder' | 'maxLength' | 'size' | 'w'> {
  readonly label: string
  /** What is searched for now. */
  readonly value: string
  readonly onSearch: (text: string) => void
  /** Whether it looks for words, not for any text. */
  readonly words?: boolean
}

/** Searches a list while somebody types. The field stays when the search begins, so it keeps the focus. */
export function SearchField({ label, value, onSearch, words = false, ...look }: SearchFieldProps): JSX.Element {
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  const input = useRef<HTMLInputElement>(null)
  const send = useDebouncedCallback((text: string) => {
    sent.current = text
    onSearch(text)
  }, pause)
  // Somebody else changed the search: a saved view, or "back".
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setTyped(value)
  }, [value])
  useShortcut('/', 'Search', () => input.current?.focus(), 'List')
  const type = (text: string): void => {
    setTyped(text)
    send(text.trim())
  }
  return (
    <TextInput
      ref={input}
      aria-label={label}
      leftSection={<IconSearch size={16} stroke={1.6} />}
      rightSection={
        typed === '' ? null : (
          <CloseButton
            size="sm"
            aria-label="Clear the search"
            onClick={() => {
              type('')
              input.current?.focus()
            }}
          />
        )
      }
      value={typed}
      error={words && typed.trim() !== '' && !hasWord(typed) ? 'The search looks for words. Type a letter or a digit.' : null}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      {...look}
    />
  )
}
