import { malformed } from '../replies.ts'

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '"': '"', "'": "'", '\\': '\\' }

/** A part of a text: plain characters, or a wildcard of LIKE. */
type Piece = { readonly text: string } | { readonly wildcard: '%' | '_' }

/**
 * Returns the text between the quotes of a literal, with escapes resolved. Raises MALFORMED_QUERY
 * for an unknown escape.
 */
function piecesOf(quoted: string): readonly Piece[] {
  const inner = quoted.slice(1, -1)
  const pieces: Piece[] = []
  for (let at = 0; at < inner.length; at += 1) {
    const letter = inner[at] ?? ''
    if (letter === '%' || letter === '_') pieces.push({ wildcard: letter })
    else if (letter !== '\\') pieces.push({ text: letter })
    else {
      at += 1
      const escaped = inner[at] ?? ''
      const code = /^u([0-9a-fA-F]{4})/.exec(inner.slice(at, at + 5))
      if (code) {
        pieces.push({ text: String.fromCharCode(Number.parseInt(code[1] ?? '', 16)) })
        at += 4
      } else if (escaped === '%' || escaped === '_') pieces.push({ text: escaped })
      else if (Object.hasOwn(escapes, escaped)) pieces.push({ text: escapes[escaped] ?? '' })
      else throw malformed(`Invalid string literal ${quoted}. Illegal character sequence '\\${escaped}' in string literal.`)
    }
  }
  return pieces
}

/** Returns the text that a literal means outside LIKE. */
export function textOf(quoted: string): string {
  return piecesOf(quoted)
    .map((piece) => ('text' in piece ? piece.text : piece.wildcard))
    .join('')
}

/** Returns the pattern of a LIKE. It ignores case. */
export function patternOf(quoted: string): RegExp {
  const source = piecesOf(quoted).map((piece) => {
    if ('wildcard' in piece) return piece.wildcard === '%' ? '[\\s\\S]*' : '[\\s\\S]'
    return piece.text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${source.join('')}$`, 'i')
}
