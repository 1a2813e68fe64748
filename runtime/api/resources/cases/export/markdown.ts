import { withoutUnseen } from '../../../../domain/index.ts'
import type { Block } from '../../../../pdf/index.ts'

/** Characters that can begin or end something in Markdown (GitHub flavour), and HTML. */
const special = /[\\`*_{}[\]()#+\-.!|<>&~@:$^="']/g

/**
 * Escapes foreign text. Markdown then shows it as it is, and it cannot make a link, image, heading, HTML or table cell.
 * Invisible characters become visible.
 */
export function escapeMarkdown(text: string): string {
  return withoutUnseen(text)
    .replace(special, (character) => (character === '<' ? '&lt;' : character === '>' ? '&gt;' : character === '&' ? '&amp;' : `\\${character}`))
    .replace(/\s*\n\s*/g, ' ⏎ ')
}

/** Returns a fence that is longer than any fence in the text, so the text cannot end its block. */
function fenceOf(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length))
  return '`'.repeat(longest + 1)
}

/** Returns a block as Markdown. */
export function markdownOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${escapeMarkdown(block.text)}\n\n`
    case 'paragraph':
      return `${escapeMarkdown(block.text)}\n\n`
    case 'list':
      return `${block.items.map((item) => `- ${escapeMarkdown(item)}\n`).join('')}\n`
    case 'code': {
      const text = withoutUnseen(block.text)
      const fence = fenceOf(text)
      return `${fence}json\n${text}\n${fence}\n\n`
    }
    case 'table': {
      const row = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |\n`
      return `${row(block.head)}|${block.head.map(() => '---|').join('')}\n${block.rows.map(row).join('')}\n`
    }
  }
}
