/** The tokens of a pattern's source: escapes, classes, groups, repetitions and single characters. */
const tokens =
  /\\Q([\s\S]*?)(?:\\E|$)|\\[pP](?:\{[^}]*\}|.)|\\x\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[pP](?:\{[^}]*\}|.)|\\[\s\S]|[^\]\\])*\]|\((?:\?(?:P?<\w+>|[a-zA-Z-]*:|[a-zA-Z-]+\)))?|\)|\{(\d+)(,?)(\d*)\}|[*+?|]|[\s\S]/gu

/** A Unicode class (`\pL`). A single one has hundreds of ranges. */
const unicodeClass = /\\[pP]/g

interface Group {
  /** The number of instructions of its parts so far. */
  size: number
  /** The number of instructions of its last part, to which a repetition applies. */
  last: number
}

/** Estimates the number of instructions of a pattern without compiling it. The estimate is hardly ever too low. */
export function sizeOf(source: string): number {
  const around: Group[] = []
  let group: Group = { size: 0, last: 0 }
  const add = (size: number): void => {
    group.size += size
    group.last = size
  }
  for (const [token, quoted, least, comma, most] of source.matchAll(tokens)) {
    if (quoted !== undefined) add(quoted.length)
    else if (least !== undefined) repeat(group, Number(least), comma === '' ? Number(least) : most === '' ? Number(least) + 1 : Number(most))
    else if (token === '*' || token === '+' || token === '?') repeat(group, 1, 1)
    else if (token === ')') {
      const inner = group
      group = around.pop() ?? { size: 0, last: 0 }
      add(inner.size + 2)
    } else if (token.startsWith('(') && !token.endsWith(')')) {
      around.push(group)
      group = { size: 0, last: 0 }
    } else add(1)
  }
  return around.reduce((sum, { size }) => sum + size, group.size)
}

/** Applies a repetition to the last part. An optional part takes one more instruction. */
function repeat(group: Group, least: number, most: number): void {
  const times = Math.max(least, most, 1)
  const size = (group.last + (most > least || most === 1 ? 1 : 0)) * times
  group.size += size - group.last
  group.last = size
}

/** Counts the Unicode classes in a pattern's source. */
export function unicodeClassesIn(source: string): number {
  return source.match(unicodeClass)?.length ?? 0
}
