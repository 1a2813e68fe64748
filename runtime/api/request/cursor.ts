import { hash } from 'node:crypto'
import type { Millis } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Page } from '../../storage/index.ts'

/** The position where a page ended: the sort key of its last item. */
export type Position = readonly (string | number)[]

/**
 * Makes and reads the cursors of one listing with one set of filters. A cursor holds the position and a digest over listing, filters and
 * position, so that an altered cursor, or one of another listing, is refused. It is not secret and grants nothing: every page is read in
 * the caller's scope.
 */
export interface Cursors {
  encode(position: Position): string
  /** @throws TocsinError `cursor_invalid` */
  decode(cursor: string): Position
}

/** Makes and reads the cursors of one listing with these filters. A cursor of another listing, or with other filters, is `cursor_invalid`. */
export function cursorsOf(listing: string, filters: unknown): Cursors {
  const bound = JSON.stringify([listing, filters])
  const encode = (position: Position): string => {
    const text = JSON.stringify(position)
    const digest = hash('sha256', `${bound}\n${text}`, 'base64url').slice(0, 16)
    return Buffer.from(digest + text).toString('base64url')
  }
  return {
    encode,
    decode(cursor) {
      const position = readPosition(Buffer.from(cursor, 'base64url').toString('utf8').slice(16))
      if (position === null || encode(position) !== cursor) {
        throw new TocsinError('cursor_invalid', 'The cursor was altered, or was made by another listing or with other filters.')
      }
      return position
    },
  }
}

/** Returns the cursor of the next page. Null if this page is the last. */
export function nextCursor<T>(page: Page<T>, cursors: Cursors, positionOf: (last: T) => Position): string | null {
  const last = page.more ? page.items.at(-1) : undefined
  return last === undefined ? null : cursors.encode(positionOf(last))
}

/** Returns the position at which a listing by time and id continues. Null: at its beginning. @throws TocsinError `cursor_invalid` */
export function timeAndId(cursors: Cursors, cursor: string | undefined): { readonly time: Millis; readonly id: string } | null {
  if (cursor === undefined) return null
  const [time, id] = cursors.decode(cursor)
  if (typeof time !== 'number' || typeof id !== 'string') throw new TocsinError('cursor_invalid', 'The cursor does not belong to this listing.')
  return { time, id }
}

function readPosition(text: string): Position | null {
  try {
    const value: unknown = JSON.parse(text)
    const whole = Array.isArray(value) && value.every((item) => typeof item === 'string' || Number.isSafeInteger(item))
    return whole ? (value as Position) : null
  } catch {
    return null
  }
}
