import type { TocsinError } from '../../errors/index.ts'

/** What failed and where, for the case of a run: places that the message itself does not name follow it. */
export function explain({ message, places }: TocsinError): string {
  const further = places.filter((place) => !(message.includes(place.field) && message.includes(place.message)))
  return [message, ...further.map((place) => `${place.field}: ${place.message}`)].join('; ')
}
