/** The most characters of a template. */
const longest = 100_000
/** The most outputs and tags of a template. */
const mostParts = 1_000
/** The most characters of one output or tag. */
const longestPart = 2_000
/** How deep blocks (`if`, `for` and others with an end tag) may be nested. */
const mostBlocks = 50
/** How deep brackets of paths may be nested: `a[b[c]]`. */
const mostBrackets = 20

const blocks = new Set(['if', 'unless', 'case', 'for', 'capture', 'comment', 'raw'])

/** Why a template is too large to parse, and at which character; null: it is not. */
export function tooLarge(source: string): { readonly message: string; readonly offset: number } | null {
  if (source.length > longest) return { message: `the template has ${source.length} characters, and at most ${longest} are allowed`, offset: 0 }
  let parts = 0
  let depth = 0
  for (const part of partsOf(source)) {
    const told = (message: string) => ({ message, offset: part.start })
    parts += 1
    if (parts > mostParts) return told(`the template has more than ${mostParts} outputs and tags`)
    if (part.text.length > longestPart)
      return told(`this has ${part.text.length} characters, and at most ${longestPart} are allowed between \`{{\` and \`}}\``)
    if (bracketsIn(part.text) > mostBrackets) return told(`its brackets are nested more than ${mostBrackets} deep`)
    const tag = /^\{%-?\s*(\w+)/.exec(part.text)?.[1] ?? ''
    if (blocks.has(tag)) depth += 1
    else if (tag.startsWith('end')) depth -= 1
    if (depth > mostBlocks) return told(`its blocks are nested more than ${mostBlocks} deep`)
  }
  return null
}

/** Yields every `{{ … }}` and `{% … %}`. One without an end goes to the end of the text. */
function* partsOf(source: string): Generator<{ readonly start: number; readonly text: string }> {
  const open = /\{[{%]/g
  for (let found = open.exec(source); found !== null; found = open.exec(source)) {
    const close = source.indexOf(found[0] === '{{' ? '}}' : '%}', found.index)
    const end = close < 0 ? source.length : close + 2
    yield { start: found.index, text: source.slice(found.index, end) }
    open.lastIndex = end
  }
}

function bracketsIn(text: string): number {
  let depth = 0
  let most = 0
  for (const character of text) {
    if (character === '[') depth += 1
    else if (character === ']') depth -= 1
    most = Math.max(most, depth)
  }
  return most
}
