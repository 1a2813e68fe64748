import { VFile } from 'vfile'
import { expect, test } from 'vitest'
import { lintProse, pages } from './lint.ts'
import { registryTexts } from './texts.ts'

/** Returns the rules that the linter reports for one page, in order. */
async function rulesBroken(text: string, path = 'docs/guides/made-up.md'): Promise<readonly (string | undefined)[]> {
  const files = await lintProse([new VFile({ cwd: process.cwd(), path, value: text })])
  return files.flatMap(({ messages }) => messages.map(({ source, ruleId }) => (source === 'retext-spell' ? source : ruleId)))
}

const long = `The run ${'and the other run '.repeat(10)}ends.`

test.each([
  ['a plain page', '# A page\n\nThe run ends. See [above](#a-page).', []],
  ['a misspelt word', 'The run is finnished.', ['retext-spell']],
  ['a misspelt word in a table', '| what |\n|---|\n| The run is finnished. |', ['retext-spell']],
  ['names and code', 'Set MONGODB_URL to `mongodb://x`, or read README.md.', []],
  ['a long sentence', long.replace(/(.{80}) /g, '$1\n'), ['sentence-length']],
  ['three passive sentences', 'The run is claimed. Its steps are executed. The case is written.', ['passive-run']],
  ['two passive sentences', 'The run is claimed. Its steps are executed. Tocsin writes the case.', []],
  ['a paragraph of six lines', 'The run ends.\n'.repeat(6), ['paragraph-lines']],
  ['a long line', 'The run ends. '.repeat(10), ['maximum-line-length']],
  ['a word twice', 'The run run ends.', ['run']],
  ['a wrong article', 'It is an run.', ['retext-indefinite-article']],
  ['a link to no file', 'See [there](no-such-page.md).', ['missing-file']],
  ['a link to no heading', 'See [there](house.md#no-such-heading).', ['missing-heading-in-file']],
] as const)('%s', async (_, text, rules) => {
  expect(await rulesBroken(text)).toEqual(rules)
})

test('the linter reads the pages and the texts of each registry', async () => {
  expect(pages()).toEqual(expect.arrayContaining(['README.md', 'docs/glossary.md', 'plugins/mfa/README.md']))
  const texts = (await registryTexts()).map(({ path }) => path)
  expect(texts).toEqual(expect.arrayContaining(['error alert_unknown', 'finding key_missing', 'setting TOCSIN_DATA', 'command tocsin playbook lint']))
})
