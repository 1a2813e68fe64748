import { stripVTControlCharacters, styleText } from 'node:util'
import { beginningOf, escapeUnseen, timeText, withoutUnseen } from '../domain/index.ts'
import type { Answer } from './client.ts'

/** Formats epoch milliseconds as UTC: `2026-01-31 12:00:00`. Returns an empty text for anything else. */
export function time(value: unknown): string {
  return typeof value === 'number' ? timeText(value).slice(0, 19) : ''
}

/**
 * Makes text from outside safe for a terminal. Control characters become visible marks. So do invisible characters and characters that change
 * the writing direction: with one in a user name, a question to people could seem to be about somebody else.
 */
export function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
  return withoutUnseen(stripVTControlCharacters(text))
}

/** Returns an answer as JSON for people and programs. Invisible characters become escapes, so the JSON means the same. */
export function json(value: unknown): string {
  return escapeUnseen(JSON.stringify(value, null, 2))
}

/** Makes a text safe for a terminal. Returns it unchanged if the output is not a terminal. */
export function raw(text: string, to: { readonly isTTY?: boolean } = process.stdout): string {
  return to.isTTY ? text.split('\t').map(plain).join('\t') : text
}

/** Puts a value on one line, and cuts it to `width` characters. */
export function clipped(value: unknown, width: number): string {
  const text = plain(value).replaceAll('\n', ' ')
  return text.length > width ? `${beginningOf(text, width - 1)}…` : text
}

/**
 * Joins lines to a text. A line feed within one becomes a visible mark: with a line feed in a user name, a question to people could seem to be
 * about other calls.
 */
export function linesText(lines: readonly string[]): string {
  return lines.map((line) => line.trimEnd().replaceAll('\n', ' ⏎ ')).join('\n')
}

/** Returns the value if it is a list, else an empty list. */
export function listOf(value: unknown): readonly Answer[] {
  return Array.isArray(value) ? (value as readonly Answer[]) : []
}

export function dim(text: string): string {
  return styleText('dim', text)
}

export function bold(text: string): string {
  return styleText('bold', text)
}

/** Formats rows under headings. Each column is as wide as its widest value. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map((value) => plain(value).replaceAll('\n', ' ')))
  const widths = headings.map((heading, index) => Math.max(heading.length, ...cells.map((row) => row[index]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd()
  return [bold(line(headings)), ...cells.map(line)].join('\n')
}

/** Times in answers are epoch milliseconds, under names such as `created_at`. */
function valueText(name: string, value: unknown): string {
  return name.endsWith('_at') && typeof value === 'number' ? timeText(value) : plain(value)
}

/** Formats an object as `name  value` lines. */
export function fields(answer: Answer): string {
  const width = Math.max(...Object.keys(answer).map((name) => name.length))
  return (
    Object.entries(answer)
      // Indent further lines of a value, so that they do not look like lines of ours.
      .map(([name, value]) => `${name.padEnd(width)}  ${valueText(name, value).replaceAll('\n', `\n${' '.repeat(width + 2)}`)}`)
      .join('\n')
  )
}
