import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { request } from '../../../runtime/cli/client.ts'
import { type Ended, tocsin } from '../../support/processes/in-process.ts'
import { type Installation, newInstallation } from '../../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../../support/processes/tocsin-process.ts'

let installation: Installation
let running: TocsinProcess

beforeAll(async () => {
  installation = newInstallation('embedded')
  const folder = join(installation.directory, 'playbooks')
  mkdirSync(folder)
  writeFileSync(join(folder, 'thief.yaml'), text('from the folder'))
  running = await spawnTocsin('up', { ...installation.environment, TOCSIN_PLAYBOOKS: folder, TOCSIN_PLUGINS: pluginFolder() })
  const admin = { url: running.url, key: installation.adminKey }
  await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
})
afterAll(async () => {
  await running.stop()
  await installation.remove()
})

/** Creates an empty plugin folder. These tests need no plugins. */
function pluginFolder(): string {
  const folder = join(installation.directory, 'plugins')
  mkdirSync(folder)
  return folder
}

function text(note: string, rest = ''): string {
  return `format: 1\nplaybook: thief\nalert_type: [theft, fraud]\n${rest}steps:\n  - id: say\n    case: { note: ${note} }\n`
}

function file(name: string, content: string): string {
  const path = join(installation.directory, name)
  writeFileSync(path, content)
  return path
}

function playbook(...words: string[]): Promise<Ended> {
  return tocsin(['playbook', ...words, '--url', running.url, '--key', installation.adminKey])
}

test('an activation skips playbook tests, because `*.yaml` matches them too, and refuses tests alone', async () => {
  const [tests, edited] = [file('edited.test.yaml', 'playbook: thief\ntests: []\n'), file('edited.yaml', text('by hand'))]
  expect(await playbook('activate', edited, tests, '--check')).toMatchObject({
    code: 0,
    out: expect.stringContaining('thief for theft would be activated'),
    err: expect.stringContaining(`Skipped, because they are tests: ${tests}`),
  })
  expect(await playbook('activate', tests)).toMatchObject({ code: 1, err: expect.stringContaining('There are only playbook tests') })
})

test('the command line activates a playbook, compares it, shows its history, rolls it back and withdraws it', async () => {
  const edited = file('edited.yaml', text('by hand'))
  expect((await playbook('activate', edited, '--check')).out).toContain(`${edited}: thief for theft would be activated (now revision 1)`)
  expect(await playbook('diff', 'theft')).toMatchObject({ code: 0, out: '', err: expect.stringContaining('no revision before 1') })
  expect(await playbook('activate', edited, '--revision', '7')).toMatchObject({ code: 1, err: expect.stringContaining('playbook_changed') })
  expect(await playbook('activate', edited, '--revision', '1')).toMatchObject({
    code: 0,
    out: expect.stringContaining('thief for fraud activated (revision 2)'),
  })
  const other = file('other.yaml', text('by hand').replace('playbook: thief', 'playbook: burglar'))
  expect((await playbook('activate', other, '--check')).out).toContain(
    'burglar for fraud would be activated (now revision 2), in place of the playbook thief',
  )
  expect((await playbook('show', 'Theft')).out).toBe(text('by hand'))
  expect((await playbook('show', 'theft', '1')).out).toBe(text('from the folder'))
  expect((await playbook('diff', 'theft')).out).toContain('-    case: { note: from the folder }\n+    case: { note: by hand }')
  expect(await playbook('diff', 'theft', '1', '1')).toMatchObject({ code: 0, out: '', err: expect.stringContaining('Their texts are the same.') })

  const history = await playbook('history', 'theft', '--json')
  const [second, first] = JSON.parse(history.out)
  expect([second, first]).toMatchObject([
    { revision: 2, source: 'edited', activated_by_name: expect.any(String) },
    { revision: 1, source: 'folder', activated_by: null },
  ])
  expect((await playbook('rollback', 'theft', first.digest.slice(0, 20))).code).toBe(0)
  expect((await playbook('show', 'theft')).out).toBe(text('from the folder'))
  expect((await playbook('show', 'fraud')).out).toBe(text('by hand'))
  expect(await playbook('rollback', 'theft', 'abc')).toMatchObject({ code: 1, err: expect.stringContaining('playbook_version_unknown') })

  expect((await playbook('withdraw', 'theft')).code).toBe(0)
  expect(await playbook('show', 'theft')).toMatchObject({ code: 1, err: expect.stringContaining('playbook_unknown') })
  expect((await playbook('history', 'theft')).out).toContain('(withdrawn)')
})

test('an organization can have its own playbook, and an import keeps edited playbooks', async () => {
  const own = file('own.yaml', text('of Acme').replace('[theft, fraud]', 'fraud'))
  expect((await playbook('activate', own, '--organization', 'ACME')).code).toBe(0)
  expect((await playbook('show', 'fraud', '--organization', 'ACME')).out).toContain('of Acme')
  await playbook('activate', file('other.yaml', text('edited again').replace('[theft, fraud]', 'fraud')))
  const folder = join(installation.directory, 'bring')
  mkdirSync(folder)
  writeFileSync(join(folder, 'thief.yaml'), text('brought').replace('[theft, fraud]', '[fraud, spam]'))
  writeFileSync(join(folder, 'thief.test.yaml'), 'not a playbook')
  const { out, code } = await playbook('import', folder)
  expect(code).toBe(0)
  expect(out).toContain('thief for fraud not changed: somebody edited or withdrew it')
  expect(out).toContain('thief for spam activated (revision 1)')
})

test('a file with a mistake is refused, and the error names the place', async () => {
  const broken = file('broken.yaml', text('x').replace('case:', 'cse:'))
  const { err, code } = await playbook('activate', broken)
  expect(code).toBe(1)
  expect(err).toContain('step_kind_unknown')
  expect(err).toMatch(/broken\.yaml:6:5/)
})
