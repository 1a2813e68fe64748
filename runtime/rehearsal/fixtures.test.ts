import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tocsin } from '../../test/support/processes/in-process.ts'

const shipped = new URL('../../plugins/mfa', import.meta.url).pathname

/** Checks a copy of the plugin in which a fixture has another text. */
async function check(name: string, text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fixtures-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const plugin = join(folder, 'mfa')
  cpSync(shipped, plugin, { recursive: true })
  writeFileSync(join(plugin, 'fixtures', `${name}.json`), text)
  const { code, out, err } = await tocsin(['plugin', 'check', plugin])
  expect([code, out]).toEqual(err === '' ? [0, expect.stringContaining('mfa is valid')] : [1, ''])
  return err.replaceAll(`${plugin}/`, '')
}

const exchanges = '"exchanges": []'

test.each([
  ['no JSON', '{\n  "exchanges": [],\n}', 'fixtures/suspend-ok.json:3:1: '],
  ['no object', '[]', 'fixtures/suspend-ok.json:1:1: must be an object with `exchanges` and `output`'],
  ['no output', `{ ${exchanges} }`, 'fixtures/suspend-ok.json:1:1 output: is missing'],
  ['no exchanges', '{ "output": { "errorId": 200 } }', 'exchanges: must be a list of objects with `request` and `answer`'],
  ['an exchange without an answer', '{ "exchanges": [{ "request": {} }], "output": { "errorId": 200 } }', 'exchanges: must be a list of objects'],
  ['the output of another skill', `{ ${exchanges}, "output": { "errorId": "x" } }`, 'output: is not what mfa.suspend_mfa_user returns: '],
])('plugin check reports a fixture with %s', async (_what, text, told) => {
  const err = await check('suspend-ok', text)
  expect(err).toContain('[fixture_invalid]')
  expect(err).toContain(told)
})

test('a fixture that no example names needs an output of any form', async () => {
  expect(await check('more', `{ ${exchanges}, "output": { "a": 1 } }`)).toBe('')
  expect(await check('more', `{ ${exchanges} }`)).toContain('output: is missing')
})

test('plugin check checks all folders, also after an invalid one, and says at the end which are invalid', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fixtures-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const plugin = join(folder, 'mfa')
  cpSync(shipped, plugin, { recursive: true })
  writeFileSync(join(plugin, 'fixtures', 'suspend-ok.json'), '[]')
  const gone = join(folder, 'gone')
  const { code, out, err } = await tocsin(['plugin', 'check', gone, plugin, shipped])
  expect([code, out]).toEqual([1, expect.stringMatching(/^\S+: mfa is valid \(\d+ skills\)\n$/)])
  expect(err).toContain('[fixture_invalid]')
  expect(err.trimEnd().split('\n').at(-1)).toBe(`2 of 3 plugin folders are invalid: ${gone}, ${plugin}`)
})
