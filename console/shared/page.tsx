import { Group, Title } from '@mantine/core'
import { type JSX, type ReactNode, useEffect } from 'react'
import { arrived } from './focus/arrived.ts'
import { seen } from './seen/seen.ts'

interface PageProps {
  /** The heading. It is also the title of the browser's tab. */
  readonly title: string
  /** What the heading shows if it is more than the title. */
  readonly heading?: ReactNode
  /** What the tab shows if it differs from the title: `(3) Decisions`. */
  readonly tab?: string
  /** Buttons beside the heading. */
  readonly actions?: ReactNode
  /** Fills the window. A list in it scrolls on its own. */
  readonly full?: boolean
  readonly children: ReactNode
}

/** A page: its heading, its actions, and its content. */
export function Page({ title, heading, tab, actions, full = false, children }: PageProps): JSX.Element {
  useTitle(tab ?? title)
  useEffect(() => arrived(seen(title)), [title])
  return (
    <div className={full ? 'page full' : 'page'}>
      <Group justify="space-between" align="flex-start" gap="sm" className="page-head">
        <Title order={1}>{heading ?? seen(title)}</Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </div>
  )
}

/** Sets the title of the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${seen(title)} · Tocsin`
  }, [title])
}
