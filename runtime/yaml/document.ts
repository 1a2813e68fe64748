import type { Json } from '../domain/index.ts'
import { positionInside } from './inside.ts'
import { Lines } from './lines.ts'
import { type Tree, type TreeNode, TreeReader } from './tree.ts'

/** A place in a file; line and column from 1. */
interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Keys and list indexes from the root of a document down to a value. */
export type DocumentPath = readonly (string | number)[]

export interface Locator {
  /**
   * The place of the value at a path, or of its key with `key`. If nothing is at the path: the place of the nearest ancestor that
   * exists.
   */
  locate(path: DocumentPath, part?: 'value' | 'key'): Position
  /** The place of a character in the string at a path. `offset` counts from 0. Exact for one-line strings and `|` blocks. */
  locateInside(path: DocumentPath, offset: number): Position
}

/** A range of a file's text. Offsets count from 0, and `end` is not included. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface YamlDocument extends Locator {
  readonly file: string
  readonly value: Json
  /** The text it was read from. */
  readonly text: string
  /** The range of the value at a path, or of its key. Null if nothing is there. */
  span(path: DocumentPath, part?: 'value' | 'key'): Span | null
  /** The line and column of the character at an offset. The offset counts from 0. */
  at(offset: number): Position
  /** The offset of the character at a line and column, as `at` returns them. */
  offset(line: number, column: number): number
}

/** A document that was read, as plain data. */
export interface DocumentData {
  readonly file: string
  readonly text: string
  readonly value: Json
  readonly tree: Tree
}

interface Found {
  /** The node at the path, or its nearest ancestor that exists. */
  readonly node: TreeNode | null
  readonly whole: boolean
}

/** Returns a document with a way to find the line and column of each of its values. Lines are counted when somebody asks. */
export function documentOf({ file, text, value, tree }: DocumentData): YamlDocument {
  const reader = new TreeReader(tree)
  let lines: Lines | null = null
  const linesOf = (): Lines => {
    lines ??= new Lines(text)
    return lines
  }
  const at = (offset: number): Position => ({ file, ...linesOf().at(offset) })

  const find = (path: DocumentPath): Found => {
    let node = reader.root
    for (const step of path) {
      const child = node?.child(step)
      if (child === undefined) return { node, whole: false }
      node = child
    }
    return { node, whole: true }
  }
  return {
    file,
    value,
    text,
    at,
    offset: (line, column) => linesOf().offset(line, column),
    span: (path, part = 'value') => {
      const { node, whole } = find(path)
      return (whole ? (part === 'key' ? node?.keySpan : node?.span) : null) ?? null
    },
    locate: (path, part = 'value') => {
      const { node, whole } = find(path)
      const chosen = part === 'key' && whole ? (node?.keySpan ?? node?.span) : (node?.span ?? node?.keySpan)
      return at(chosen?.start ?? 0)
    },
    locateInside: (path, offset) => {
      const { node, whole } = find(path)
      const start = node?.span?.start ?? 0
      const written = whole && node !== null && node.form !== 'map' && node.form !== 'list' ? valueAt(value, path) : undefined
      return at(typeof written === 'string' && node !== null ? positionInside(text, { value: written, form: node.form, start }, offset) : start)
    },
  }
}

function valueAt(value: Json, path: DocumentPath): Json | undefined {
  return path.reduce<Json | undefined>((at, key) => (at as Readonly<Record<string | number, Json>> | null | undefined)?.[key], value)
}
