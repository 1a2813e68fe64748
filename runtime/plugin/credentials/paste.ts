import type { ErrorPlace } from '../../errors/index.ts'
import type { ManifestDocument } from '../grammar/index.ts'

/**
 * The credential fields that a pasted file fills, or why it fills none. Messages name keys and
 * lines, never values.
 */
export type Pasted =
  | { readonly ok: true; readonly fields: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly places: readonly ErrorPlace[] }

/**
 * Reads a vendor's file, or some of its lines, with the manifest's `paste` maps. The first map that
 * has a key in the text is used. Values are taken unchanged, so that the field's own rules can
 * refuse one with quotes or spaces. Keys that are not in the map are ignored.
 */
export function readPaste(manifest: ManifestDocument, text: string): Pasted {
  const maps = (manifest.paste ?? []).map(({ map }) => map)
  if (maps.length === 0) return refused(`${manifest.name} does not support pasting a file. Enter the fields one by one.`)
  const lines = readProperties(text)
  if (!(lines instanceof Map)) return { ok: false, places: [lines] }
  const map = maps.find((each) => Object.values(each).some((key) => lines.has(key)))
  if (map === undefined) {
    const wanted = [...new Set(maps.flatMap((each) => Object.values(each)))].join(', ')
    return refused(lines.size === 0 ? `The text has no key=value line. The keys are ${wanted}.` : `The text has none of the keys ${wanted}.`)
  }
  const fields: Record<string, string> = {}
  for (const [field, key] of Object.entries(map)) {
    const value = lines.get(key)
    if (value !== undefined) fields[field] = value
  }
  return { ok: true, fields }
}

function refused(message: string): Pasted {
  return { ok: false, places: [{ field: 'paste', message }] }
}

/**
 * Reads the lines of a Java properties file: `key=value` or `key:value`, comments with `#` and `!`,
 * backslash escapes, continued lines.
 */
function readProperties(text: string): Map<string, string> | ErrorPlace {
  const found = new Map<string, string>()
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  for (let at = 0; at < lines.length; at++) {
    const first = at + 1
    let line = (lines[at] ?? '').trimStart()
    if (line === '' || /^[#!]/.test(line)) continue
    while (/(?:^|[^\\])(?:\\\\)*\\$/.test(line) && at + 1 < lines.length) {
      at += 1
      line = line.slice(0, -1) + (lines[at] ?? '').trimStart()
    }
    const parts = /^((?:\\.|[^\\=:])+?)[ \t]*[=:][ \t]*(.*)$/s.exec(line)
    if (!parts) return { field: 'paste', line: first, message: 'This line is not key=value. Paste whole lines.' }
    const key = unescaped(parts[1] ?? '')
    if (found.has(key)) return { field: 'paste', line: first, message: `The key ${key.slice(0, 100)} appears twice. Paste only one file.` }
    found.set(key, unescaped(parts[2] ?? ''))
  }
  return found
}

const letters: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' }

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_whole, hex: string | undefined, one: string) =>
    hex === undefined ? (letters[one] ?? one) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
