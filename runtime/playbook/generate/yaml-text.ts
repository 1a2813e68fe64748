import type { Json } from '../../domain/index.ts'

/** A text as a YAML scalar that reads back as exactly it: single quotes where they can hold it, else double quotes. */
export function scalar(text: string): string {
  // Anything but printable ASCII: double quotes, as JSON writes them, which YAML reads the same.
  if (!/^[\x20-\x7e]*$/.test(text))
    return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `'${text.replaceAll("'", "''")}'`
}

/** A value on one line, with quotes only where they are needed. */
export function flow(value: Json): string {
  if (typeof value === 'string') return isPlain(value) ? value : scalar(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(flow).join(', ')}]`
  const entries = Object.entries(value as Readonly<Record<string, Json>>)
  return entries.length === 0 ? '{}' : `{ ${entries.map(([key, item]) => `${isPlain(key) ? key : scalar(key)}: ${flow(item)}`).join(', ')} }`
}

/** Words and paths, but not the words that YAML reads as something else. */
function isPlain(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_.]*$/.test(text) && !/^(?:true|false|null)$/i.test(text)
}

/** A text as part of one comment line. */
export function comment(text: string): string {
  return text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 120)
}

/** A text inside a template, as itself. */
export function literal(text: string): string {
  return text.replace(/[{}%]/g, '')
}
