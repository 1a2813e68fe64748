import type { Paragraph, Root } from 'mdast'
import { visit } from 'unist-util-visit'
import type { VFile } from 'vfile'

/** The most lines of a paragraph or list item. */
const mostLines = 5

/** Reports paragraphs with too many lines. */
export function paragraphRule() {
  return (tree: Root, file: VFile): void => {
    visit(tree, 'paragraph', ({ position }: Paragraph) => {
      const lines = position ? position.end.line - position.start.line + 1 : 0
      if (lines > mostLines) {
        file.message(`The paragraph has ${lines} lines; ${mostLines} is the most. Split it, or make it a list.`, {
          place: position,
          ruleId: 'paragraph-lines',
          source: 'prose',
        })
      }
    })
  }
}
