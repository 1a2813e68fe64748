import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { cameBack, noteReturn } from '../came-back.ts'
import { keepAddress, keepPlace, lastAddress, type Place, placeIn } from '../kept-places.ts'

const beginning: Place = { top: 0, current: null }

interface KeptPlace {
  /** Where the list begins. */
  readonly begins: Place
  /** Notes a change. */
  note(change: Partial<Place>): void
}

/** Lets somebody who comes back from a row find the list as it was. */
export function usePlace(label: string, scroller: RefObject<HTMLElement | null>): KeptPlace {
  const [path] = useLocation()
  const search = useSearch()
  const address = search === '' ? path : `${path}?${search}`
  const [begins] = useState(() => (cameBack() ? placeIn(`${label} ${address}`) : undefined) ?? beginning)
  const place = useRef(begins)
  // While the next page loads, the list is hidden. What it is drawn for then is not its address.
  const shown = useRef({ path, address })
  useLayoutEffect(() => {
    shown.current = { path, address }
  }, [path, address])
  useLayoutEffect(
    () => () => {
      keepPlace(`${label} ${shown.current.address}`, place.current)
      keepAddress(shown.current.path, shown.current.address)
    },
    [label],
  )
  return {
    begins,
    note: (change) => {
      // A hidden list is at its beginning.
      if (scroller.current?.offsetParent) place.current = { ...place.current, ...change }
    },
  }
}

/** Leads back to a list as it was left, with its filters: `/cases`. */
export function useBackToList(path: string): () => void {
  const [, go] = useLocation()
  return () => {
    go(lastAddress(path))
    noteReturn()
  }
}
