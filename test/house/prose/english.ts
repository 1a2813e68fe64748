import { readFileSync } from 'node:fs'
import dictionary from 'dictionary-en-gb'
import type { Nodes, TableCell } from 'mdast'
import { toNlcst } from 'mdast-util-to-nlcst'
import type { Root } from 'nlcst'
import { toString as textOf } from 'nlcst-to-string'
import { ParseEnglish } from 'parse-english'
import retextIndefiniteArticle from 'retext-indefinite-article'
import retextRepeatedWords from 'retext-repeated-words'
import retextSpell from 'retext-spell'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import type { VFile } from 'vfile'
import { sentenceRules } from './sentences.ts'

/** The file with words that the dictionary lacks, one per line. */
const words = readFileSync(new URL('words.txt', import.meta.url), 'utf8')

const english = unified()
  .use(() => namesAreCode)
  .use(sentenceRules)
  .use(retextRepeatedWords)
  .use(retextIndefiniteArticle)
  .use(retextSpell, { dictionary, personal: words, max: 3 })
  .freeze()

/** Checks the English of paragraphs, headings and table cells. */
export function englishRules() {
  return async (tree: Nodes, file: VFile): Promise<void> => {
    await english.run(toNlcst(tree, file, ParseEnglish), file)
    const cells: TableCell[] = []
    visit(tree, 'tableCell', (cell: TableCell) => void cells.push(cell))
    for (const { children, position } of cells) {
      if (children.length > 0) await english.run(toNlcst({ type: 'paragraph', children, position }, file, ParseEnglish), file)
    }
  }
}

/** Matches names that are not in a dictionary, such as `MONGODB_URL`, `10m`, `README.md`, `errorId` and `TLS`. */
function namesAreCode(tree: Root): void {
  visit(tree, 'WordNode', (word, index, parent) => {
    const value = textOf(word)
    if (parent && index !== undefined && /[\d_.@/]|[A-Z]{2}|[a-z][A-Z]/.test(value)) {
      parent.children[index] = { type: 'SourceNode', value, ...(word.position && { position: word.position }) }
    }
  })
}
