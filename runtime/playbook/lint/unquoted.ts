import type { Fix } from '../findings/index.ts'

/**
 * Returns a fix that quotes an unquoted template, if it is a whole value.
 * @param line the line where it begins, from 1
 * @param column the column where it begins, from 1
 */
export function quoteTemplate(text: string, line: number, column: number): Fix | undefined {
  const start = text.split('\n', line - 1).reduce((sum, before) => sum + before.length + 1, 0) + column - 1
  const written = /^\{\{[^{}\n]*\}\}(?=[ \t]*(?:$|[,}\]\n]|#))/.exec(text.slice(start))?.[0]
  if (written === undefined) return undefined
  const quote = ["'", '"'].find((sign) => !written.includes(sign))
  if (quote === undefined || (quote === '"' && written.includes('\\'))) return undefined
  return { title: 'put the template in quotes', edits: [{ start, end: start + written.length, text: `${quote}${written}${quote}` }] }
}
