import { expect, test } from 'vitest'
import { escapeMarkdown, markdownOf } from './markdown.ts'

test.each([
  ['[a](https://evil.example)', '\\[a\\]\\(https\\://evil\\.example\\)'],
  ['<img src=x onerror=alert(1)>', '&lt;img src\\=x onerror\\=alert\\(1\\)&gt;'],
  ['a | b', 'a \\| b'],
  ['# heading\n- item', '\\# heading ⏎ \\- item'],
  ['@everyone **now**', '\\@everyone \\*\\*now\\*\\*'],
  ['user\u202egnp.exe\u200b', 'user\ufffdgnp\\.exe\ufffd'],
  ['&lt;', '&amp;lt;'],
])('%j is shown as it is', (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped)
})

test('evidence cannot end its block', () => {
  expect(markdownOf({ kind: 'code', text: '"```\\n# out"' })).toBe('````json\n"```\\n# out"\n````\n\n')
})

test('a table keeps its cells, whatever is in them', () => {
  const text = markdownOf({ kind: 'table', head: ['a', 'b'], rows: [['1|2', 'x\ny']] })
  expect(text).toBe('| a | b |\n|---|---|\n| 1\\|2 | x ⏎ y |\n\n')
})
