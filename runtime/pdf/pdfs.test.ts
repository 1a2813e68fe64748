import { afterAll, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { createPdfs } from './index.ts'
import type { Block } from './report.ts'

const clock = new ManualClock()
const pdfs = createPdfs({ clock, logger: { error: () => {} }, processorTime: () => clock.now() })
afterAll(() => pdfs.close())

const draw = async (...blocks: readonly Block[]): Promise<string> =>
  Buffer.from(await pdfs.draw('acme', { name: 'ACME-42', blocks: [{ kind: 'heading', level: 1, text: 'ACME-42' }, ...blocks] })).toString('latin1')
const pagesOf = (pdf: string): number => Number(/\/Count (\d+)/.exec(pdf)?.[1])

test('a report becomes pages, and foreign text becomes nothing active', async () => {
  const hostile = 'https://evil.example/ javascript:alert(1) ) /URI (x) endobj \u202e 中文 العربية'
  const pdf = await draw(
    { kind: 'paragraph', text: hostile },
    { kind: 'list', items: [hostile] },
    { kind: 'code', text: hostile },
    { kind: 'table', head: ['Field', 'Value'], rows: [['Title', hostile]] },
  )
  expect(pdf.startsWith('%PDF-')).toBe(true)
  expect(pagesOf(pdf)).toBe(1)
  for (const active of ['/URI', '/Annots', '/JavaScript', '/JS', '/OpenAction', '/AA', '/Launch', '/AcroForm']) expect(pdf).not.toContain(active)
})

test.each([
  ['a text without spaces', 'x'.repeat(100_000)],
  ['a text of many lines', 'a\n'.repeat(50_000)],
])('%s is cut after some pages', async (_, text) => {
  expect(pagesOf(await draw({ kind: 'paragraph', text }))).toBeLessThan(5)
})

const long: Block = { kind: 'table', head: ['No.', 'What'], rows: Array.from({ length: 5_000 }, (_, at) => [String(at), `entry ${at}`]) }

test('a report ends after 60 pages', async () => {
  expect(pagesOf(await draw(long))).toBe(60)
})

test('a report that takes too long is given up, and the next one is drawn', async () => {
  const late = draw(long)
  // Its time begins once its process has the report.
  await new Promise(setImmediate)
  clock.advance(30_000)
  await expect(late).rejects.toMatchObject({ code: 'pdf_not_drawn', message: expect.stringContaining('longer than 30 s') })
  expect(pagesOf(await draw({ kind: 'paragraph', text: 'next' }))).toBe(1)
})
