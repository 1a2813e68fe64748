import { type RefObject, useLayoutEffect } from 'react'
import { cameBack } from '../came-back.ts'
import { nowhere, withoutOwnPlace } from '../focus/lost-focus.ts'

/** What had the focus in a list: the number of a heading, or the list. Null: neither. */
export type ListFocus = number | 'list' | null

const headings = '[role="columnheader"]'

/** Keeps the focus in a list that is drawn anew. Whoever sorts it with the keyboard goes on at the same heading. */
export function useKeptFocus(scroller: RefObject<HTMLElement | null>, kept: RefObject<ListFocus>): void {
  useLayoutEffect(() => {
    const list = scroller.current
    // Somebody may have gone elsewhere meanwhile.
    if (list && kept.current !== null && withoutOwnPlace()) {
      const heading = kept.current === 'list' ? null : list.querySelectorAll(headings)[kept.current]
      const focused = heading?.querySelector<HTMLElement>('button, input') ?? list
      focused.focus({ preventScroll: true })
    }
    // Somebody has come back to the list, and goes on at the row where they were.
    else if (list && cameBack() && (nowhere() || document.activeElement?.matches('main'))) list.focus({ preventScroll: true })
    kept.current = null
    return () => {
      const focused = document.activeElement
      if (!focused || !list?.contains(focused)) return
      const heading = focused.closest(headings)
      kept.current = heading ? [...list.querySelectorAll(headings)].indexOf(heading) : 'list'
    }
  }, [scroller, kept])
}
