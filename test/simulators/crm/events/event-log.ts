import type { Row } from '../org/row.ts'
import { millisecondsOf } from '../org/times.ts'
import { type Column, eventKinds } from './event-kinds.ts'

/** The number of rows in a file without a requested size. A larger file repeats them. */
const usualRows = 120
const repeatedRows = 2048

/**
 * Yields the CSV of an event log file in pieces, with every value quoted. With `size` it has that
 * many bytes or slightly more, otherwise a fixed number of rows. Only one piece is in memory at a
 * time.
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

/** Returns how many bytes `csvOf` yields. With a size, this is approximate. */
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
