import { nowhere } from './lost-focus.ts'

/** The page that was shown last. Null: the window was just opened, and the browser itself says its title. */
let shown: string | null = null

/** Names the content of the page for screen readers, and moves the focus to it, unless the focus is there already. @param title the heading of the page */
export function arrived(title: string): void {
  const main = document.querySelector<HTMLElement>('#main')
  main?.setAttribute('aria-label', title)
  const { pathname } = window.location
  const before = shown
  shown = pathname
  if (before !== null && before !== pathname && (nowhere() || document.activeElement?.closest('nav, header'))) main?.focus({ preventScroll: true })
}
