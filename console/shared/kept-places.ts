/**
 * The places in lists that somebody has left. The frame forgets them, so this file loads nothing of the lists.
 */

/** Where somebody was in a list. */
export interface Place {
  /** How far it was scrolled, in pixels. */
  readonly top: number
  /** The row on which the keys acted. Null: none. */
  readonly current: string | null
}

/** The places that somebody has left, by the name and the address of the list. They last as long as the window. */
const places = new Map<string, Place>()
/** The last address of each list, with its filters, by its path. */
const addresses = new Map<string, string>()
/** The most places that are kept. Each search of a list is an address of its own. */
const mostPlaces = 100

/** Keeps the place in the list of this name and address. */
export function keepPlace(list: string, place: Place): void {
  places.delete(list)
  places.set(list, place)
  const [oldest] = places.keys()
  if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest)
}

/** Returns the place in the list of this name and address. Undefined: nobody has left it, or it is forgotten. */
export function placeIn(list: string): Place | undefined {
  return places.get(list)
}

/** Keeps the address, with its filters, of the list at this path: `/cases`. */
export function keepAddress(path: string, address: string): void {
  addresses.set(path, address)
}

/** Returns the last address of the list at this path, or the path. */
export function lastAddress(path: string): string {
  return addresses.get(path) ?? path
}

/** Forgets all places, because the filters may name what the next person must not see. */
export function forgetPlaces(): void {
  places.clear()
  addresses.clear()
}
