import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { playbookFiles, readPlaybook, sourcesBeside } from './files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-playbook-files-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const file = (name: string, content: string | Buffer = 'format: 1\n'): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

test('a folder has the playbooks that are files, or links to files', async () => {
  for (const name of ['b.yaml', 'a.yml', 'a.test.yaml', 'notes.md', '.hidden.yaml']) file(name)
  mkdirSync(join(folder, 'folder.yaml'))
  execFileSync('mkfifo', [join(folder, 'pipe.yaml')])
  symlinkSync(join(folder, 'pipe.yaml'), join(folder, 'to-pipe.yaml'))
  symlinkSync(join(folder, 'b.yaml'), join(folder, 'linked.yaml'))
  // The lock file of an editor, and a link to a file that is gone.
  symlinkSync('ada@host.123', join(folder, '.#b.yaml'))
  symlinkSync('nowhere', join(folder, 'broken.yaml'))
  expect((await playbookFiles(folder)).map((found) => basename(found))).toEqual(['a.yml', 'b.yaml', 'broken.yaml', 'linked.yaml'])
  await expect(readPlaybook(join(folder, 'broken.yaml'))).rejects.toMatchObject({ code: 'file_unreadable' })
})

test('a playbook that is not UTF-8 is refused, and not read with other letters', async () => {
  expect(await readPlaybook(file('a.yaml', '\ufeffplaybook: größer\n'))).toBe('playbook: größer\n')
  await expect(readPlaybook(file('latin.yaml', Buffer.from('playbook: größer', 'latin1')))).rejects.toMatchObject({
    code: 'file_unreadable',
    message: expect.stringMatching(/latin\.yaml is not UTF-8\.$/),
  })
  await expect(readPlaybook(file('wide.yaml', Buffer.from('\ufeffplaybook: x', 'utf16le')))).rejects.toMatchObject({
    message: expect.stringContaining('looks like UTF-16'),
  })
})

test('a neighbour that cannot be read does not keep a playbook from being checked', async () => {
  const main = file('main.yaml', 'format: 1\nplaybook: main\n')
  file('other.yaml', 'format: 1\nplaybook: other\n')
  const broken = file('latin.yaml', Buffer.from('playbook: größer', 'latin1'))
  expect([...(await sourcesBeside([main], [])).keys()].sort()).toEqual(['main', 'other'])
  await expect(sourcesBeside([main, broken], [])).rejects.toMatchObject({ code: 'file_unreadable' })
})
