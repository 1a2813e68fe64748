import type { JSX } from 'react'
import { ForeignBlock } from './foreign.tsx'

/** The most characters of a title from outside in a heading. On a phone, a longer one would push everything else off the screen. */
const most = 150
/** A title that is only a little longer is shown whole: the line that unfolds it would take more room than the rest. */
const whole = 200

/** Returns what a heading shows of a title from outside. */
export function beginOf(title: string): string {
  // Half of an emoji would show as a code.
  return title.length > whole
    ? `${title
        .slice(0, most)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()} …`
    : title
}

/** The whole title, folded, below a heading that shows only its beginning. */
export function WholeTitle({ title }: { readonly title: string }): JSX.Element | null {
  if (title.length <= whole) return null
  return (
    <details className="whole-title">
      <summary>The whole title ({title.length.toLocaleString('en')} characters)</summary>
      <ForeignBlock value={title} label="The whole title" />
    </details>
  )
}
