import type { Document, Parser } from 'yaml'
import { yaml } from '../../packages/index.ts'
import type { YamlLimits } from '../limits.ts'

/** The document is too large. `offset` is where the parser noticed it. */
export class TooLarge extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

/**
 * Returns the first document of a text, with its mistakes. It does not look for duplicate keys: the package
 * would compare each key with all others.
 * @throws TooLarge
 */
export function compose(text: string, limits: YamlLimits): Document {
  checkSize(text, limits)
  const { Composer, YAMLParseError } = yaml()
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    merge: false,
    strict: true,
    stringKeys: true,
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: 'error',
  })
  let first: Document | null = null
  const { stackTraceLimit } = Error
  // Each mistake is an Error object, and a text can have a mistake in every second character.
  Error.stackTraceLimit = 0
  try {
    for (const document of composer.compose(tokens(text, limits), true, text.length)) {
      if (first === null) first = document
      else {
        const [start, end] = document.range
        first.errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', ''))
        break
      }
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
  // The composer always ends with a document.
  return first as Document
}

function checkSize(text: string, { bytes, lines }: YamlLimits): void {
  if (text.length > bytes || Buffer.byteLength(text) > bytes) throw new TooLarge(0, `The document is larger than ${size(bytes)}.`)
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    count += 1
    if (count > lines) throw new TooLarge(at + 1, `The document has more than ${count - 1} lines.`)
  }
}

/** Yields the parser's tokens. It stops when there are too many, or when they are nested too deeply for the next stage. */
function* tokens(text: string, { tokens: most, depth }: YamlLimits): ReturnType<Parser['parse']> {
  const { Lexer, Parser } = yaml()
  const parser = new Parser()
  let count = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (!isLayout(lexeme)) count += 1
    if (count > most) throw new TooLarge(parser.offset, `The document has more than ${most} keys, values and signs up to here.`)
    // The document itself is on the stack, and the token at hand may be.
    if (parser.stack.length > depth + 2) throw new TooLarge(parser.offset, `Nested deeper than ${depth} levels.`)
    yield* parser.next(lexeme)
  }
  yield* parser.end()
}

function isLayout(lexeme: string): boolean {
  const first = lexeme.charCodeAt(0)
  // Space, tab, line feed, carriage return, `#`; 31 is the lexer's mark that a scalar follows.
  return first === 32 || first === 9 || first === 10 || first === 13 || first === 35 || first === 31
}

function size(bytes: number): string {
  return bytes % (1_024 * 1_024) === 0 ? `${bytes / (1_024 * 1_024)} MiB` : `${bytes / 1_024} KiB`
}
