import type { Document, YAMLError } from 'yaml'
import { yaml } from '../../packages/index.ts'

/** A syntax error, and where it begins. */
export interface SyntaxFault {
  readonly offset: number
  readonly message: string
  /** Everything found after this error follows from it. */
  readonly alone?: boolean
}

/** Quoted texts, and mappings and lists in brackets, in the order of the file. */
interface Enclosed {
  readonly quoted: readonly (readonly [start: number, end: number])[]
  readonly bracketed: readonly { readonly start: number; readonly end: number; readonly close: '}' | ']' }[]
}

/**
 * Rewrites the parser's errors for the author of the file: where the mistake is, instead of where the parser noticed it, and what to do.
 * It reads the document once, however many errors there are.
 */
export function explainer(text: string, document: Document): (error: YAMLError) => SyntaxFault {
  let found: Enclosed | null = null
  const enclosed = (): Enclosed => {
    found ??= enclosedIn(document)
    return found
  }
  return (error) => explain(error, text, enclosed)
}

function enclosedIn(document: Document): Enclosed {
  const { isMap, isSeq, visit } = yaml()
  const quoted: [number, number][] = []
  const bracketed: Enclosed['bracketed'][number][] = []
  visit(document, {
    Scalar(_key, { range, type }) {
      if (range && (type === 'QUOTE_SINGLE' || type === 'QUOTE_DOUBLE')) quoted.push([range[0], range[1]])
    },
    Collection(_key, node) {
      if (!(isMap(node) || isSeq(node)) || node.flow !== true || !node.range) return
      bracketed.push({ start: node.range[0], end: node.range[1], close: isMap(node) ? '}' : ']' })
    },
  })
  return { quoted, bracketed }
}

function explain({ code, message, pos: [at] }: YAMLError, text: string, enclosed: () => Enclosed): SyntaxFault {
  const plain = { offset: indented(text, at), message: oneLine(message) }
  switch (code) {
    case 'NON_STRING_KEY':
      return keyFault(text, at) ?? plain
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return beforeKey(text, at) ?? { ...plain, ...secondColon(text, at, enclosed()) }
    case 'BLOCK_IN_FLOW':
      if (/^-\s/.test(text.slice(at, at + 2))) return { ...plain, message: 'Inside `{ }` and `[ ]`, a list is written `[a, b]`.', alone: true }
      return { ...plain, message: colonInText }
    case 'BAD_DQ_ESCAPE':
      return { ...plain, message: `Double quotes have no \`${text.slice(at, at + 2)}\`; put the text in single quotes, where \`\\\` is itself.` }
    case 'BAD_ALIAS':
      return { ...plain, message: 'A text cannot begin with `*`; put it in quotes.' }
    case 'BAD_SCALAR_START':
      return { ...plain, message: `A text cannot begin with \`${text[at]}\`; put it in quotes.` }
    case 'UNEXPECTED_TOKEN':
      return afterQuote(text, at) ?? plain
    case 'BAD_INDENT':
      if (/^[ \t]*\t/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1))) return { ...plain, message: tabs }
      return unclosed(text, at, enclosed()) ?? { ...plain, message: 'This line is not indented like the lines it belongs to.' }
    case 'MISSING_CHAR':
      return (
        openQuote(text, at, enclosed()) ??
        unclosed(text, at, enclosed()) ??
        (message.startsWith('Sequence item') ? { ...plain, message: noItem } : plain)
      )
    case 'MULTIPLE_DOCS':
      return { ...plain, message: 'A file is one document, and `---` begins a second one here.' }
    case 'TAG_RESOLVE_FAILED':
      return { ...plain, message: 'A `!` without quotes begins a tag, and tags are not allowed; put it in quotes.' }
    default:
      return plain
  }
}

/** Without quotes, `{{ … }}` is a mapping in a mapping, and `!` cannot be a key. */
function keyFault(text: string, at: number): SyntaxFault | null {
  const start = text[at - 1] === '{' ? at - 1 : at
  if (text.startsWith('{{', start)) return { offset: start, message: "Put the template in quotes: '{{ … }}'. Without quotes, `{` begins a mapping." }
  if (text[at] === '!') return { offset: at, message: "Put an operator that begins with `!` in quotes: '!'." }
  const missing = text[at] === '{' || text[at] === '[' ? ' A comma may be missing after it.' : ''
  return { offset: at, message: `A key must be a text.${missing}`, alone: missing !== '' }
}

const tabs = 'Tabs are not allowed as indentation; use spaces.'
const noItem = 'This line is not indented like the lines it belongs to, or its `-` is missing.'

/** A tab, or a `-` without a space, before the key of the line: the parser takes the lines after it for a part of its text. */
function beforeKey(text: string, at: number): SyntaxFault | null {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const [indentation = ''] = /^[ \t]*/.exec(text.slice(start)) ?? []
  const offset = start + indentation.length
  if (indentation.includes('\t')) return { offset, message: tabs, alone: true }
  const [dash] = /^-[A-Za-z_]\w*(?=:\s)/.exec(text.slice(offset, at)) ?? []
  return dash === undefined ? null : { offset, message: `Write a space after the \`-\`: \`- ${dash.slice(1)}\`.`, alone: true }
}

const colonInText = 'A `: ` in a text without quotes begins a mapping; put the text in quotes.'

/** A text is followed by a colon, so the parser takes it for a key. */
function secondColon(text: string, at: number, { bracketed }: Enclosed): Omit<SyntaxFault, 'offset'> {
  const end = text.indexOf('\n', at)
  const line = text.slice(at, end === -1 ? undefined : end)
  if (/:(\s|$)/.test(line)) return { message: colonInText }
  const [key] = /^[\w-]+:(?=[^\s/])/.exec(line) ?? []
  if (key !== undefined) return { message: `Write a space after \`${key}\`.`, alone: true }
  if (bracketed.some(({ start, end }) => start < at && at < end)) return { message: 'A comma may be missing at the end of this line.', alone: true }
  return { message: 'The next line continues this text, because it is indented deeper; indent it like the keys beside it.', alone: true }
}

/** `'it's'`: the quote inside ended the string. */
function afterQuote(text: string, at: number): SyntaxFault | null {
  const before = text.slice(0, at).trimEnd()
  const quote = before.at(-1)
  if (quote !== "'" && quote !== '"') return null
  const inside = quote === "'" ? "inside, `'` is written twice: `''`" : 'inside, `"` is written `\\"`'
  return { offset: at, message: `The text ended at the \`${quote}\` before this; ${inside}.` }
}

function openQuote(text: string, at: number, { quoted }: Enclosed): SyntaxFault | null {
  const last = quoted.findLast(([start, end]) => start < at && end >= at)
  return last === undefined ? null : { offset: last[0], message: `The text that begins here has no closing \`${text[last[0]]}\`.`, alone: true }
}

/** Returns the innermost `{` or `[` that is not closed where the parser gave up. */
function unclosed(text: string, at: number, { bracketed }: Enclosed): SyntaxFault | null {
  const last = bracketed.findLast(({ start, end, close }) => start < at && text[end - 1] !== close)
  return last === undefined ? null : { offset: last.start, message: `The \`${text[last.start]}\` that begins here is not closed.`, alone: true }
}

/** Moves an error at the beginning of a line to the first character after the indentation. */
function indented(text: string, at: number): number {
  return at === 0 || text[at - 1] === '\n' ? at + (/^ */.exec(text.slice(at))?.[0].length ?? 0) : at
}

const longestMessage = 300

function oneLine(message: string): string {
  // The parser quotes what it found. That may be as long as the file.
  const line = message.slice(0, longestMessage).replaceAll(/\s+/g, ' ').trim()
  return line.endsWith('.') ? line : `${line}.`
}
