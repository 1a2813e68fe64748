import { Button } from '@mantine/core'
import { type JSX, useState } from 'react'
import { seen } from './seen/seen.ts'

/** The most characters of a text that a page shows before somebody asks for more. A browser takes seconds to lay out very long text. */
const mostShown = 5_000

/** Text from outside. Its writing direction does not affect the text around it, and its invisible characters are visible. */
export function Foreign({ value }: { readonly value: string }): JSX.Element {
  return <bdi className="foreign">{seen(value.length > mostShown ? `${value.slice(0, mostShown)}…` : value)}</bdi>
}

/** A block of text from outside, with its line breaks. `label` names it for screen readers. Long text shows its beginning, and a button shows more of it. */
export function ForeignBlock({ value, label }: { readonly value: string; readonly label: string }): JSX.Element {
  const [length, setLength] = useState(mostShown)
  const rest = value.length - length
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable with the keyboard (WCAG 2.2, 2.1.1) */}
      <section className="block" aria-label={label} tabIndex={0}>
        <pre dir="ltr">{seen(value.slice(0, length))}</pre>
      </section>
      {rest > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => setLength(length * 4)}>
          Show more ({rest.toLocaleString('en')} characters are hidden)
        </Button>
      )}
    </>
  )
}

/** JSON, formatted for people. */
export function Json({ value, label }: { readonly value: unknown; readonly label: string }): JSX.Element {
  return <ForeignBlock value={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} label={label} />
}
