import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../storage/index.ts'
import { filesState, noteImported, wasImported } from './imported.ts'

let root: string
let folders: { plugins: string[]; playbooks: string[]; data: string }
let active: object[]
const store = {
  artifacts: { listActive: async (_scope: unknown, kind: string) => active.filter((one) => 'kind' in one && one.kind === kind) },
} as unknown as Store

const write = (path: string, text: string): void => writeFileSync(join(root, path), text)
const isKnown = (): Promise<boolean> => wasImported(folders.data, filesState(folders), store)

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'imported-'))
  for (const name of ['plugins', 'plugins/mail', 'playbooks', 'data']) mkdirSync(join(root, name))
  folders = { plugins: [join(root, 'plugins')], playbooks: [join(root, 'playbooks')], data: join(root, 'data') }
  active = [{ kind: 'playbook', key: 'theft', digest: 'd', source: 'folder', revision: 1 }]
  write('playbooks/theft.yaml', 'one')
  write('plugins/mail/manifest.yaml', 'id: mail')
  expect(await isKnown()).toBe(false)
  await noteImported(folders.data, filesState(folders) ?? '', store)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('what the last start imported is known, and stays known if people and generators activate other playbooks', async () => {
  expect(await isKnown()).toBe(true)
  active.push({ kind: 'playbook', key: 'fraud', source: 'api' })
  expect(await isKnown()).toBe(true)
})

test.each<[string, () => void]>([
  ['a playbook with another text of the same length, and the old time', () => keepingTime('playbooks/theft.yaml', 'two')],
  ['a file of a plugin', () => write('plugins/mail/manifest.yaml', 'id: post')],
  ['a new file', () => write('plugins/mail/README.md', '')],
  ['a file that is gone', () => rmSync(join(root, 'playbooks/theft.yaml'))],
  ['another order of the folders', () => folders.playbooks.unshift(join(root, 'plugins'))],
  ['packages that were installed beside the plugins', () => install()],
  ['another version active', () => active.splice(0, 1, { kind: 'playbook', key: 'theft', digest: 'e', source: 'api', revision: 2 })],
  ['a store that has forgotten', () => active.splice(0)],
  ['a damaged note', () => write('data/imported', 'x')],
  ['no note', () => rmSync(join(root, 'data/imported'))],
])('%s: it is imported again', async (_what, change) => {
  change()
  expect(await isKnown()).toBe(false)
})

test('a link in a folder may change its target unseen, so such a folder is always imported', async () => {
  symlinkSync(join(root, 'data'), join(root, 'plugins/linked'))
  expect(filesState(folders)).toBeNull()
  expect(await wasImported(folders.data, null, store)).toBe(false)
})

test('a data folder that cannot be written costs only time', async () => {
  await expect(noteImported(join(root, 'nowhere'), 'state', store)).resolves.toBeUndefined()
})

function keepingTime(path: string, text: string): void {
  const { atime, mtime } = statSync(join(root, path))
  write(path, text)
  utimesSync(join(root, path), atime, mtime)
}

function install(): void {
  mkdirSync(join(root, 'node_modules'))
  write('node_modules/.package-lock.json', '{}')
}
