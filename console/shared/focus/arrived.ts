import { nowhere } from './lost-focus.ts'

/** The page that was shown last. Null: the window was just opened, and the browser itself says its title. */
let shown: string | null = null

/** Tells a screen reader which page is shown, and gives it the focus, unless somebody is already in it. @param title its heading */
export function arrived(title: string): void {
  const main = document.querySelector<HTMLElement>('#main')
  main?.setAttribute('aria-label', title)
  const { pathname } = window.location
  const before = shown
  shown = pathname
  if (before !== null && before !== pathname && (nowhere() || document.activeElement?.closest('nav, header'))) main?.focus({ preventScroll: true })
}
