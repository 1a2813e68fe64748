/** Characters of a template. */
const longest = 100_000
/** Outputs and tags of a template. */
const mostParts = 1_000
/** Characters of one of them. */
const longestPart = 2_000
/** Blocks within each other: `if`, `for` and the others that have an end. */
const mostBlocks = 50
/** Brackets of paths within each other: `a[b[c]]`. */
const mostBrackets = 20

const blocks = new Set(['if', 'unless', 'case', 'for', 'capture', 'comment', 'raw'])

/** Why a template is not even parsed, and at which character; null when it is. */
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
    if (bracketsIn(part.text) > mostBrackets) return told(`its brackets are more than ${mostBrackets} within each other`)
    const tag = /^\{%-?\s*(\w+)/.exec(part.text)?.[1] ?? ''
    if (blocks.has(tag)) depth += 1
    else if (tag.startsWith('end')) depth -= 1
    if (depth > mostBlocks) return told(`its blocks are more than ${mostBlocks} within each other`)
  }
  return null
}

/** Every `{{ … }}` and `{% … %}`; one that is not closed goes to the end. */
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
