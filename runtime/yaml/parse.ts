import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import type { Json } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import { explain, type SyntaxFault } from './advice.ts'
import { converter } from './convert.ts'
import { positionInside } from './inside.ts'

const mostFaults = 10
/** Each is explained by a look at the whole document; what comes after so many says nothing that a person needs. */
const mostExplained = 100

/** A place in a file; line and column from 1. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Keys and list indexes from the root of a document down to a value. */
export type DocumentPath = readonly (string | number)[]

export interface Locator {
  /**
   * Where the value at a path stands, or with `key` the key that holds it. Of a path that leads nowhere: where its nearest existing
   * ancestor stands.
   */
  locate(path: DocumentPath, part?: 'value' | 'key'): Position
  /** Where the character `offset` (from 0) of the string at a path stands; exact for one-line strings and for `|` blocks. */
  locateInside(path: DocumentPath, offset: number): Position
}

/** A stretch of a file's text; offsets from 0, the end not included. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface YamlDocument extends Locator {
  readonly file: string
  readonly value: Json
  /** The text it was read from. */
  readonly text: string
  /** What the value at a path covers, or its key; null of a path that leads nowhere. */
  span(path: DocumentPath, part?: 'value' | 'key'): Span | null
}

/**
 * Reads one document of YAML 1.2 core: no second document, no duplicate key, no `<<`, no tag beyond those of the core schema, no
 * directive. Anchors are allowed; what aliases repeat is bounded. Integers beyond 2^53 become strings, as in JSON. An empty file is null.
 *
 * @param file the file's name, for messages
 * @throws TocsinError `yaml_invalid`, every place with line and column
 */
export function parseYaml(text: string, file: string): YamlDocument {
  const lines = new LineCounter()
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const fail = (faults: readonly { readonly offset: number; readonly message: string }[]): TocsinError => {
    const places = faults.map(({ offset, message }) => ({ field: '', message, ...at(offset) }))
    const first = places[0]
    const detail = first === undefined ? file : `${file}:${first.line}:${first.column}: ${first.message}`
    return new TocsinError('yaml_invalid', detail, places)
  }
  const document = guardDepth(
    () =>
      parseDocument(text, {
        version: '1.2',
        schema: 'core',
        merge: false,
        strict: true,
        stringKeys: true,
        resolveKnownTags: false,
        prettyErrors: false,
        logLevel: 'error',
        lineCounter: lines,
      }),
    () => fail([{ offset: 0, message: 'The document is nested too deeply.' }]),
  )
  const errors = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0]).slice(0, mostExplained)
  const faults = errors.map((error) => explain(error, text, document))
  const directive = /^%(YAML(?! +1\.2\s)|TAG)/m.exec(text)
  if (directive !== null && document.contents !== null && directive.index < (document.contents.range?.[0] ?? 0)) {
    faults.push({ offset: directive.index, message: 'Directives other than `%YAML 1.2` are not read.' })
  }
  // One slip can make nonsense of all that follows it; what comes first is what was meant.
  if (faults.length > 0) throw fail(firstOfLines(faults, text).slice(0, mostFaults))
  const convert = converter((node, message) => {
    throw fail([{ offset: node.range?.[0] ?? 0, message }])
  }, document)
  const root: Node | null = document.contents
  const value = root === null ? null : convert(root)

  const find = (path: DocumentPath): { readonly node: Node | null; readonly key: Node | null; readonly whole: boolean } => {
    let node: Node | null = root
    let key: Node | null = null
    for (const step of path) {
      const holder = isAlias(node) ? (node.resolve(document) ?? null) : node
      const child = childOf(holder, step)
      if (child === undefined) return { node, key, whole: false }
      key = child.key
      node = child.value
    }
    return { node, key, whole: true }
  }
  return {
    file,
    value,
    text,
    span: (path, part = 'value') => {
      const { node, key, whole } = find(path)
      const range = whole ? (part === 'key' ? key : node)?.range : null
      return range ? { start: range[0], end: range[1] } : null
    },
    locate: (path, part = 'value') => {
      const { node, key, whole } = find(path)
      const chosen = part === 'key' && whole ? (key ?? node) : (node ?? key)
      return at(chosen?.range?.[0] ?? 0)
    },
    locateInside: (path, offset) => {
      const { node, whole } = find(path)
      const start = node?.range?.[0] ?? 0
      return at(whole && isScalar(node) ? positionInside(text, node, offset) : start)
    },
  }
}

function childOf(node: Node | null, step: string | number): { readonly key: Node | null; readonly value: Node | null } | undefined {
  if (isSeq(node)) {
    const value = node.items[Number(step)]
    return value === undefined ? undefined : { key: null, value: value as Node }
  }
  if (!isMap(node)) return undefined
  const pair = (node as YAMLMap<Node, Node | null>).items.find((item) => isScalar(item.key) && String(item.key.value) === String(step))
  return pair === undefined ? undefined : { key: pair.key, value: pair.value }
}

/** The parser recurses; thousands of `[` would otherwise end as a bare RangeError. */
function guardDepth<T>(work: () => T, tooDeep: () => TocsinError): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep()
    throw error
  }
}

/** What follows on the same line follows from the first. */
function firstOfLines(faults: readonly SyntaxFault[], text: string): readonly SyntaxFault[] {
  const lines = new Set<number>()
  const alone = faults.find((fault) => fault.alone === true)
  if (alone !== undefined) return [alone]
  return faults
    .toSorted((a, b) => a.offset - b.offset)
    .filter(({ offset }) => {
      const start = text.lastIndexOf('\n', offset - 1)
      return lines.has(start) ? false : lines.add(start) !== undefined
    })
}
