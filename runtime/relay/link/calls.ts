import type { Millis } from '../../domain/index.ts'
import { type Fields, fieldsOf } from './messages.ts'

/* The JSON of the frames that open a stream and answer it. Members that an end does not know are ignored. */

/** Returns what asks for a TCP connection. @param more further members, for another process of the runtime */
export function writeTarget(host: string, port: number, more: Fields = {}): string {
  return JSON.stringify({ host, port, ...more })
}

/** Reads host and port. Neither is checked any further. Null: malformed. */
export function readTarget(text: string): { readonly host: string; readonly port: number; readonly fields: Fields } | null {
  const fields = fieldsOf(text)
  if (fields === null) return null
  const { host, port } = fields
  return typeof host === 'string' && typeof port === 'number' ? { host, port, fields } : null
}

/** Returns what says that there is a connection. @param clock the agent's clock */
export function writeOpened(clock: Millis): string {
  return JSON.stringify({ clock })
}

/** Reads the agent's clock: a whole number that a machine can have been up for. Null: malformed. */
export function readOpened(text: string): Millis | null {
  const clock = fieldsOf(text)?.['clock']
  return typeof clock === 'number' && Number.isSafeInteger(clock) && clock >= 0 ? clock : null
}

/** Returns what says why there is no connection. */
export function writeRefused(code: string): string {
  return JSON.stringify({ code })
}

/** Reads why there is no connection. The text comes from the other end and is shown to people, so it has only letters, digits and underscores. */
export function readRefused(text: string): string {
  const code = fieldsOf(text)?.['code']
  return (typeof code === 'string' ? code : 'failed').replace(/[^\w]/g, '').slice(0, 64)
}
