import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { cameBack, noteReturn } from '../came-back.ts'
import { keepAddress, keepPlace, lastAddress, type Place, placeIn } from '../kept-places.ts'

const beginning: Place = { top: 0, current: null }

export interface KeptPlace {
  /** Where the list begins. */
  readonly begins: Place
  /** Notes a change. */
  note(change: Partial<Place>): void
}

/**
 * Lets somebody who comes back from a row find the list as it was.
 * @param of the filters and the order. When they change, the list begins at its first row.
 */
export function usePlace(label: string, of: string, scroller: RefObject<HTMLElement | null>): KeptPlace {
  const [path] = useLocation()
  const search = useSearch()
  const address = search === '' ? path : `${path}?${search}`
  const [list, setList] = useState(() => ({ of, begins: (cameBack() ? placeIn(`${label} ${address}`) : undefined) ?? beginning }))
  if (list.of !== of) setList({ of, begins: beginning })
  const place = useRef(list.begins)
  const noted = useRef(list)
  useLayoutEffect(() => {
    if (noted.current !== list) place.current = list.begins
    noted.current = list
  }, [list])
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
    begins: list.begins,
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
