import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { cameBack, noteReturn } from '../came-back.ts'

/** Where somebody was in a list. */
interface Place {
  /** How far it was scrolled, in pixels. */
  readonly top: number
  /** The row on which the keys acted. Null: none. */
  readonly current: string | null
}

const beginning: Place = { top: 0, current: null }
/** The places that somebody has left, by the name and the address of the list. They last as long as the window. */
const places = new Map<string, Place>()
/** The last address of each list, with its filters, by its path. */
const addresses = new Map<string, string>()
/** The most places that are kept. Each search of a list is an address of its own. */
const mostPlaces = 100

/** Forgets all places, because the filters may name what the next person must not see. */
export function forgetPlaces(): void {
  places.clear()
  addresses.clear()
}

function keepPlace(list: string, place: Place): void {
  places.delete(list)
  places.set(list, place)
  const [oldest] = places.keys()
  if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest)
}

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
  const [begins] = useState(() => (cameBack() ? places.get(`${label} ${address}`) : undefined) ?? beginning)
  const place = useRef(begins)
  // While the next page loads, the list is hidden. What it is drawn for then is not its address.
  const shown = useRef({ path, address })
  useLayoutEffect(() => {
    shown.current = { path, address }
  }, [path, address])
  useLayoutEffect(
    () => () => {
      keepPlace(`${label} ${shown.current.address}`, place.current)
      addresses.set(shown.current.path, shown.current.address)
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
    go(addresses.get(path) ?? path)
    noteReturn()
  }
}
