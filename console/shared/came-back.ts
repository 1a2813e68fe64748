let back = false
// `main.tsx` loads this file first. So this listener is older than that of wouter, after which the page is drawn anew.
addEventListener('popstate', () => {
  back = true
})
// wouter sends this event.
addEventListener('pushState', () => {
  back = false
})

/** Returns whether the page is shown because somebody went back or forward, and not because of a link. */
export function cameBack(): boolean {
  return back
}

/** Notes that the link that was just followed leads back. */
export function noteReturn(): void {
  back = true
}
