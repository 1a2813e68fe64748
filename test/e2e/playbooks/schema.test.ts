import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, expect, test } from 'vitest'
import { playbookFiles } from '../../../runtime/playbook/index.ts'
import { parseYaml } from '../../../runtime/yaml/index.ts'

const root = new URL('../../../', import.meta.url)
const main = fileURLToPath(new URL('runtime/tocsin.js', root))
const directory = mkdtempSync(join(tmpdir(), 'tocsin-schema-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function schema(...words: string[]): Promise<{ readonly out: string; readonly err: string }> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, 'playbook', 'schema', ...words], { maxBuffer: 20_000_000 })
  return { out: stdout, err: stderr }
}

function checkerOf(text: string) {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  return ajv.compile(JSON.parse(text) as object)
}

test('the command makes a schema for the given plugins and playbooks', async () => {
  writeFileSync(join(directory, 'contain-user.yaml'), 'format: 1\nplaybook: contain-user\nsteps: [{ id: lock_out, stop: { outcome: completed } }]\n')
  writeFileSync(join(directory, 'begun.yaml'), 'format: [')
  const file = join(directory, 'playbook.schema.json')
  const plugins = fileURLToPath(new URL('test/engine/support/plugins', root))
  const { out, err } = await schema('--plugins', plugins, '--playbooks', directory, '-o', file)
  expect(out).toBe('')
  expect(err).toMatch(/Skipped \S*begun.yaml/)
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('"directory.suspend_user"')
  expect(text).not.toContain('mfa.suspend_mfa_user')
})

test('without a file, the schema is printed; a file that cannot be written is reported', async () => {
  const empty = join(directory, 'empty')
  mkdirSync(empty)
  expect(JSON.parse((await schema('--playbooks', empty)).out)).toHaveProperty('$defs.with_mfa_suspend_mfa_user')
  const shipped = fileURLToPath(new URL('playbooks', root))
  expect((await schema('--playbooks', shipped)).out).toBe(readFileSync(new URL('schemas/playbook.schema.json', root), 'utf8'))
  await expect(schema('-o', join(directory, 'no', 'such', 'folder.json'))).rejects.toMatchObject({
    stderr: expect.stringContaining('cannot be written'),
  })
})

const folders = ['playbooks', 'bench/playbooks', 'test/faults/playbooks']
const files = (await Promise.all(folders.map((folder) => playbookFiles(fileURLToPath(new URL(folder, root)))))).flat()
const check = checkerOf(readFileSync(new URL('schemas/playbook.schema.json', root), 'utf8'))

test.each(files)('%s fits the shipped schema', (file) => {
  check(parseYaml(readFileSync(file, 'utf8'), file).value)
  expect(check.errors ?? []).toEqual([])
})
