/** The most places that a list offers. */
const mostPlaces = 500

/**
 * Finds the texts and numbers in the body of an alert source.
 * @returns each by its place, a JSON pointer (RFC 6901). Null: the body is not JSON
 */
export function placesIn(body: string): ReadonlyMap<string, string> | null {
  const places = new Map<string, string>()
  const look = (value: unknown, place: string): void => {
    if (places.size >= mostPlaces) return
    if (typeof value === 'string' || typeof value === 'number') places.set(place, String(value))
    else if (typeof value === 'object' && value !== null)
      for (const [name, part] of Object.entries(value)) look(part, `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
  try {
    look(JSON.parse(body), '')
  } catch {
    return null
  }
  // The whole body is no place: it is the content.
  places.delete('')
  return places
}
