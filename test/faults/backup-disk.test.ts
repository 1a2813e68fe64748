import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock, systemIds } from '../../runtime/config/index.ts'
import { acceptLoss, backUp, examine, openEmbeddedStore } from '../../runtime/storage/embedded/index.ts'
import { insertOne, newAlert, newTenant } from '../conformance/storage/fixtures.ts'
import { tocsin } from '../support/processes/in-process.ts'
import { mountSmallDisk, type SmallDisk } from '../support/stores/small-disk.ts'
import { until } from '../support/until.ts'

/** Makes a folder with a store of more than a megabyte. */
async function largeStore(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-backup-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const store = await openEmbeddedStore({ directory, clock: systemClock, report: () => {} })
  await insertOne(store, newAlert(newTenant(), { content: 'x'.repeat(1_500_000) }))
  await store.close()
  return directory
}

function backUpTo(directory: string, target: string): void {
  backUp(directory, target, [], systemClock.now())
}

const full = (disk: SmallDisk) =>
  expect.objectContaining({
    code: 'disk_full',
    message: expect.stringContaining(disk.directory),
    remedy: expect.stringMatching(/disk of the backup/),
  })

test('a disk that is too small for the backup is named, and the backup leaves nothing there', async ({ skip }) => {
  const disk = mountSmallDisk(1)
  if (disk === null) return skip('it may not mount a disk')
  onTestFinished(() => disk.remove())
  const directory = await largeStore()
  expect(() => backUpTo(directory, join(disk.directory, 'monday'))).toThrow(full(disk))
  expect(readdirSync(disk.directory)).toEqual([])
  // The empty folder that a disk is mounted at is a good place, too. It cannot be removed.
  expect(() => backUpTo(directory, disk.directory)).toThrow(full(disk))
  expect(readdirSync(disk.directory)).toEqual([])
  expect(examine(directory)).toEqual([])
})

test('a place where no folder can be made is refused with a remedy about the backup', async () => {
  const directory = await largeStore()
  const file = join(directory, 'a file')
  writeFileSync(file, '')
  const refused = expect.objectContaining({ code: 'folder_unusable', remedy: expect.stringContaining('for the backup') })
  expect(() => backUpTo(directory, join(file, 'monday'))).toThrow(refused)
})

test('an empty folder that stood there before takes the backup', async () => {
  const directory = await largeStore()
  const target = join(directory, 'empty')
  mkdirSync(target)
  backUpTo(directory, target)
  expect(existsSync(join(target, 'tocsin.db'))).toBe(true)
  expect(examine(target)).toEqual([])
})

test('a folder that never had a store is named as the mistake: nothing is missing or damaged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-no-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const refused = expect.objectContaining({ code: 'folder_unusable', message: expect.stringContaining(`${folder} is no data folder`) })
  expect(() => examine(folder)).toThrow(refused)
  expect(() => backUpTo(folder, join(folder, 'monday'))).toThrow(refused)
  expect(() => acceptLoss(folder, { by: 'test', at: 1 }, systemIds)).toThrow(refused)
  expect(readdirSync(folder)).toEqual([])
})

test('an installation on MongoDB is not backed up by a copy of an old folder', async () => {
  const directory = await largeStore()
  const copy = join(directory, 'monday')
  const environment = { MONGODB_URL: 'mongodb://127.0.0.1:1', TOCSIN_DATA: directory }
  for (const words of [['backup', copy], ['check']])
    expect(await tocsin(['store', ...words], environment)).toMatchObject({ code: 1, err: expect.stringMatching(/MONGODB_URL is set.*\n.*mongodump/) })
  expect(existsSync(copy)).toBe(false)
  expect(await tocsin(['store', 'backup', copy, '--data', directory], environment)).toMatchObject({ code: 0, err: '' })
})

test('a backup that is killed before its end is not taken for a backup', async () => {
  const directory = await largeStore()
  const target = join(directory, 'monday')
  // The key file is a pipe. Nobody writes into it, so the backup waits when it copies this file.
  execFileSync('mkfifo', [join(directory, 'vault.key')])
  const program = `import { backUp } from ${JSON.stringify(new URL('../../runtime/storage/embedded/index.ts', import.meta.url).href)}
backUp(${JSON.stringify(directory)}, ${JSON.stringify(target)}, ['vault.key'], 1)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'inherit', 'inherit'] })
  const gone = once(child, 'exit')
  await until(async () => existsSync(join(target, 'tocsin.mark')))
  child.kill('SIGKILL')
  await gone
  expect(existsSync(join(target, 'tocsin.db'))).toBe(false)
  const refused = expect.objectContaining({ code: 'store_incomplete', remedy: expect.stringContaining('another backup') })
  expect(() => examine(target)).toThrow(refused)
  expect(() => backUpTo(target, join(directory, 'tuesday'))).toThrow(refused)
  expect(() => acceptLoss(target, { by: 'test', at: 1 }, systemIds)).toThrow(refused)
  await expect(openEmbeddedStore({ directory: target, clock: systemClock, report: () => {} })).rejects.toEqual(refused)
  expect(existsSync(join(target, 'tocsin.db'))).toBe(false)
})
