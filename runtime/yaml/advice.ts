import { type Document, isMap, isScalar, isSeq, visit, type YAMLError } from 'yaml'

/** What is wrong with the syntax, and where it begins. */
export interface SyntaxFault {
  readonly offset: number
  readonly message: string
  /** What else is found follows from this. */
  readonly alone?: boolean
}

/** The parser's error in the words of who writes the file: where the slip is rather than where it was noticed, and what to do. */
export function explain({ code, message, pos: [at] }: YAMLError, text: string, document: Document): SyntaxFault {
  const plain = { offset: indented(text, at), message: oneLine(message) }
  switch (code) {
    case 'NON_STRING_KEY':
      return keyFault(text, at) ?? plain
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return { ...plain, message: 'A `: ` in a text without quotes begins a mapping; put the text in quotes.' }
    case 'BAD_SCALAR_START':
      return { ...plain, message: `A text cannot begin with \`${text[at]}\`; put it in quotes.` }
    case 'DUPLICATE_KEY':
      return { ...plain, message: `The key \`${/^[^\s:]+/.exec(text.slice(at))?.[0] ?? ''}\` stands here for the second time.` }
    case 'UNEXPECTED_TOKEN':
      return afterQuote(text, at) ?? plain
    case 'BAD_INDENT':
      if (/^[ \t]*\t/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1))) return { ...plain, message: 'Tabs are not allowed as indentation.' }
      return unclosed(text, at, document) ?? { ...plain, message: 'This line is indented otherwise than those that it belongs to.' }
    case 'MISSING_CHAR':
      return openQuote(text, at, document) ?? unclosed(text, at, document) ?? plain
    case 'MULTIPLE_DOCS':
      return { ...plain, message: 'A file is one document, and `---` begins a second one here.' }
    case 'RESOURCE_EXHAUSTION':
      return { ...plain, message: 'The document is nested too deeply.' }
    case 'TAG_RESOLVE_FAILED':
      return { ...plain, message: 'A `!` without quotes begins a tag, which is not read; put it in quotes.' }
    default:
      return plain
  }
}

/** `{{ … }}` without quotes is a mapping in a mapping; `!` is no key. */
function keyFault(text: string, at: number): SyntaxFault | null {
  const start = text[at - 1] === '{' ? at - 1 : at
  if (text.startsWith('{{', start)) return { offset: start, message: "A template stands in quotes: '{{ … }}'. Without them `{` begins a mapping." }
  if (text[at] === '!') return { offset: at, message: "An operator that begins with `!` stands in quotes: '!'." }
  const missing = text[at] === '{' || text[at] === '[' ? ' A comma may be missing behind it.' : ''
  return { offset: at, message: `A key must be a text.${missing}`, alone: missing !== '' }
}

/** `'it's'`: the text ended at the quote in it. */
function afterQuote(text: string, at: number): SyntaxFault | null {
  const before = text.slice(0, at).trimEnd()
  const quote = before.at(-1)
  if (quote !== "'" && quote !== '"') return null
  const inside = quote === "'" ? "inside, `'` is written twice: `''`" : 'inside, `"` is written `\\"`'
  return { offset: at, message: `The text ended at the \`${quote}\` before this; ${inside}.` }
}

function openQuote(text: string, at: number, document: Document): SyntaxFault | null {
  let start: number | null = null
  visit(document, {
    Scalar(_key, node) {
      const begin = node.range?.[0]
      if (begin !== undefined && (node.type === 'QUOTE_SINGLE' || node.type === 'QUOTE_DOUBLE') && begin < at && (node.range?.[1] ?? 0) >= at)
        start = begin
    },
  })
  return start === null ? null : { offset: start, message: `The text that begins here has no closing \`${text[start]}\`.`, alone: true }
}

/** The innermost `{` or `[` that is not closed where the parser gave up. */
function unclosed(text: string, at: number, document: Document): SyntaxFault | null {
  let start: number | null = null
  visit(document, (_key, node) => {
    if (isScalar(node) || !(isMap(node) || isSeq(node)) || node.flow !== true || !node.range) return
    const [begin, end] = node.range
    if (begin < at && text[end - 1] !== (isMap(node) ? '}' : ']')) start = begin
  })
  return start === null ? null : { offset: start, message: `The \`${text[start]}\` that begins here is not closed on its way.`, alone: true }
}

/** At the beginning of a line: where it is written, and not where it should have been. */
function indented(text: string, at: number): number {
  return at === 0 || text[at - 1] === '\n' ? at + (/^ */.exec(text.slice(at))?.[0].length ?? 0) : at
}

function oneLine(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim()
  return line.endsWith('.') ? line : `${line}.`
}
