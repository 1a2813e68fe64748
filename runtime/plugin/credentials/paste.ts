import type { ErrorPlace } from '../../errors/index.ts'
import type { ManifestDocument } from '../grammar/index.ts'

/** What a pasted file fills, by credential field; or why it fills nothing. Messages name keys and lines, never a value. */
export type Pasted =
  | { readonly ok: true; readonly fields: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly places: readonly ErrorPlace[] }

/**
 * Reads a vendor's file, or some of its lines, by the manifest's `paste` maps: the first map of which any key is there. Values are taken
 * as they stand, so that a quoted or padded one is refused by the field's own rules; keys that no map names are left out.
 */
export function readPaste(manifest: ManifestDocument, text: string): Pasted {
  const maps = (manifest.paste ?? []).map(({ map }) => map)
  if (maps.length === 0) return refused(`${manifest.name} has no file that could be pasted; give the fields one by one.`)
  const lines = readProperties(text)
  if (!(lines instanceof Map)) return { ok: false, places: [lines] }
  const map = maps.find((each) => Object.values(each).some((key) => lines.has(key)))
  if (map === undefined) {
    const wanted = [...new Set(maps.flatMap((each) => Object.values(each)))].join(', ')
    return refused(lines.size === 0 ? `There is no key=value line in it; the keys are ${wanted}.` : `It has none of the keys ${wanted}.`)
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

/** The lines of a Java properties file: `key=value` or `key:value`, `#` and `!` comments, backslash escapes, continued lines. */
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
    if (!parts) return { field: 'paste', line: first, message: 'This line is no key=value; paste whole lines.' }
    const key = unescaped(parts[1] ?? '')
    if (found.has(key)) return { field: 'paste', line: first, message: `The key ${key.slice(0, 100)} is there twice; paste one file.` }
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
