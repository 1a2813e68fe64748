import type { Row } from '../org/row.ts'
import { millisecondsOf } from '../org/times.ts'
import { type Column, eventKinds } from './event-kinds.ts'

/** Rows of a file for which no size is asked; of one that is to be larger, these and more come again and again. */
const usualRows = 120
const repeatedRows = 2048

/**
 * The CSV of an event log file in pieces, every value quoted. Of `size` bytes or a little more if that is given, else of a fixed number of
 * rows. Nothing but a piece is held.
 */
export function* csvOf(file: Row, size: number | null): Iterable<string> {
  const columns = eventKinds[String(file['EventType'])] ?? []
  const start = millisecondsOf(String(file['LogDate'])) ?? 0
  const head = line(columns.map(({ name }) => name))
  yield head
  const piece = Array.from({ length: size === null ? usualRows : repeatedRows }, (_, index) => rowOf(columns, index + 1, start)).join('')
  if (size === null) return yield piece
  const bytes = Buffer.byteLength(piece)
  for (let made = Buffer.byteLength(head); made < size; made += bytes) yield piece
}

/** How many bytes `csvOf` makes; about, where a size is asked. */
export function lengthOf(file: Row, size: number | null): number {
  if (size !== null) return size
  let bytes = 0
  for (const piece of csvOf(file, null)) bytes += Buffer.byteLength(piece)
  return bytes
}

function rowOf(columns: readonly Column[], n: number, start: number): string {
  return line(columns.map(({ value }) => value(n, start)))
}

function line(values: readonly string[]): string {
  return `${values.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')}\n`
}
