import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { CaseView } from '../../../runtime/api/index.ts'

type Dragged = Readonly<Record<string | symbol, unknown>>

const dataOf = (found: CaseView): Record<string, unknown> => ({ boardCard: found })
/** Null: something else is dragged, for instance a file. */
const caseIn = (dragged: Dragged): CaseView | null => (dragged['boardCard'] as CaseView | undefined) ?? null

/** Lets people drag a card. @param found null: the card stays where it is */
export function useDraggable(found: CaseView | null): { readonly ref: RefObject<HTMLElement | null>; readonly dragged: boolean } {
  const ref = useRef<HTMLElement>(null)
  // A case that changes while it is dragged must not end the drag.
  const latest = useRef(found)
  latest.current = found
  const [dragged, setDragged] = useState(false)
  const stays = found === null
  useEffect(() => {
    if (ref.current === null || stays) return undefined
    return draggable({
      element: ref.current,
      getInitialData: () => (latest.current === null ? {} : dataOf(latest.current)),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    })
  }, [stays])
  return { ref, dragged }
}

/** Lets people drop cards on a column. @param onDrop gets the case of a card that was dropped */
export function useDropTarget(
  status: CaseView['status'],
  onDrop: (found: CaseView) => void,
): { readonly ref: RefObject<HTMLElement | null>; readonly over: boolean } {
  const ref = useRef<HTMLElement>(null)
  const latest = useRef(onDrop)
  latest.current = onDrop
  const [over, setOver] = useState(false)
  useEffect(() => {
    if (ref.current === null) return undefined
    return dropTargetForElements({
      element: ref.current,
      canDrop: ({ source }) => (caseIn(source.data)?.status ?? status) !== status,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false)
        const found = caseIn(source.data)
        if (found) latest.current(found)
      },
    })
  }, [status])
  return { ref, over }
}
