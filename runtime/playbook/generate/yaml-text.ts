import type { Json } from '../../domain/index.ts'

/**
 * Returns a text as a YAML scalar that parses back to the same text. Uses single quotes if they can
 * hold it, otherwise double quotes.
 */
export function scalar(text: string): string {
  // Double quotes as JSON writes them. YAML reads them the same way.
  if (!/^[\x20-\x7e]*$/.test(text))
    return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `'${text.replaceAll("'", "''")}'`
}

/** Returns a value on one line. Quotes only what needs quotes. */
export function flow(value: Json): string {
  if (typeof value === 'string') return isPlain(value) ? value : scalar(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(flow).join(', ')}]`
  const entries = Object.entries(value as Readonly<Record<string, Json>>)
  return entries.length === 0 ? '{}' : `{ ${entries.map(([key, item]) => `${isPlain(key) ? key : scalar(key)}: ${flow(item)}`).join(', ')} }`
}

/**
 * Tells whether a text needs no quotes. Words that YAML reads as another type, such as `true`, do
 * need them.
 */
function isPlain(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_.]*$/.test(text) && !/^(?:true|false|null)$/i.test(text)
}

/** Returns a text without line breaks and special characters, so that it fits into a comment. */
export function comment(text: string): string {
  return text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 120)
}

/** Returns a text without template syntax, so that a template shows it unchanged. */
export function literal(text: string): string {
  return text.replace(/[{}%]/g, '')
}
