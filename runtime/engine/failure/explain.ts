import type { TocsinError } from '../../errors/index.ts'

/** Puts an error into words, for the case of a run. Adds the places that the message does not name. */
export function explain({ message, places }: TocsinError): string {
  const further = places.filter((place) => !(message.includes(place.field) && message.includes(place.message)))
  return [message, ...further.map((place) => `${place.field}: ${place.message}`)].join('; ')
}
