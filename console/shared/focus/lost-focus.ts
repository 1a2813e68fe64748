/** What had the focus last, and what is around it, from the inside out. Empty: nothing, or somebody has left it. */
let last: readonly Element[] = []
/** What got the focus because the element that had it is gone. Null: somebody has moved the focus since. */
let standIn: Element | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** How long a dialog or a page may take to give the focus to a place of its own, in milliseconds. */
const patience = 100
/** Parts of a page that a screen reader names. */
const parts = 'form, section, article, aside, main, [role="dialog"]'
const fields = 'input:not(:disabled), textarea:not(:disabled), select:not(:disabled)'

/**
 * Gives the focus a place when what had it goes away, such as a button that is no longer offered, or is disabled while a change is being sent:
 * the same element when it is enabled again, else what was around it. Otherwise the next key would act nowhere, and a screen reader would
 * begin at the top of the page.
 * @returns what ends it
 */
export function watchFocus(): () => void {
  const observer = new MutationObserver(lookSoon)
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled', 'data-loading'] })
  document.addEventListener('focusin', note)
  document.addEventListener('focusout', lookWhetherLeft)
  return () => {
    observer.disconnect()
    clearTimeout(timer)
    document.removeEventListener('focusin', note)
    document.removeEventListener('focusout', lookWhetherLeft)
  }
}

/** Returns whether nothing has the focus. */
export function nowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

/**
 * Returns whether nothing has the focus, or it only stands in for an element that is gone. If that element comes back, it may have the focus
 * again.
 */
export function withoutOwnPlace(): boolean {
  return nowhere() || document.activeElement === standIn
}

function note({ target }: FocusEvent): void {
  if (target !== standIn) standIn = null
  const around: Element[] = []
  for (let element = target instanceof Element ? target : null; element !== null; element = element.parentElement) around.push(element)
  last = around
}

/** A click on an empty place takes the focus away on purpose. Then nothing gives it back. */
function lookWhetherLeft({ target }: FocusEvent): void {
  queueMicrotask(() => {
    if (target instanceof Element && target === last[0] && nowhere() && target.isConnected && !target.matches(':disabled')) last = []
  })
}

function lookSoon(): void {
  if (last.length === 0 || !nowhere()) return
  clearTimeout(timer)
  timer = setTimeout(giveBack, patience)
}

function giveBack(): void {
  const [element] = last
  if (element === undefined || !nowhere()) return
  const part = last.find((one) => one.isConnected && one.matches(parts))
  const disabled = element.matches(':disabled')
  // It is enabled again when the answer comes.
  if (element.isConnected && disabled && (element.matches('[data-loading]') || part?.querySelector('[data-loading]'))) return
  if (element.isConnected && !disabled) focusOn(element)
  else {
    // Before the focus moves: `note` compares.
    standIn = (part?.matches('form') && part.querySelector(fields)) || part || document.querySelector('main')
    focusOn(standIn)
  }
}

function focusOn(place: Element | null): void {
  if (!(place instanceof HTMLElement)) return
  if (place.tabIndex < 0 && !place.hasAttribute('tabindex')) {
    place.tabIndex = -1
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true })
  }
  place.focus({ preventScroll: true })
}
