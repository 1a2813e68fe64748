import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { shippedPlugin } from '../../support/processes/installation.ts'
import { mountSmallDisk } from '../../support/stores/small-disk.ts'

const main = fileURLToPath(new URL('../../../runtime/tocsin.js', import.meta.url))
/** Prints more than a pipe holds. With one plugin it takes less time. */
const long = ['playbook', 'schema']
const env = { ...process.env, TOCSIN_PLUGINS: shippedPlugin('mailsec') }

function writingTo(file: string, words: readonly string[]) {
  const out = openSync(file, 'w')
  try {
    const { status, stderr } = spawnSync(process.execPath, [main, ...words], { env, stdio: ['ignore', out, 'pipe'], encoding: 'utf8' })
    return { status, stderr }
  } finally {
    closeSync(out)
  }
}

const failed = { status: 1, stderr: expect.stringMatching(/^tocsin: A file cannot be written: standard output: .*\[file_unwritable\]\n.*\n$/) }

test('a command whose output cannot be written fails, and says so in one message', () => {
  expect(writingTo('/dev/full', long)).toEqual(failed)
  expect(writingTo('/dev/full', ['plugin', 'check', shippedPlugin('mailsec')])).toEqual(failed)
})

test('an output of which only the beginning fits on the disk is no success', ({ skip }) => {
  const disk = mountSmallDisk(1)
  if (disk === null) return skip('it may not mount a disk')
  onTestFinished(() => disk.remove())
  writeFileSync(join(disk.directory, 'most'), Buffer.alloc(1_000_000))
  const file = join(disk.directory, 'schema.json')
  expect(writingTo(file, long)).toEqual(failed)
  expect(readFileSync(file, 'utf8')).toMatch(/^\{/)
})

test('a reader that has read enough makes nothing fail', async () => {
  const command = spawn(process.execPath, [main, ...long], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let err = ''
  command.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  command.stdout.once('data', () => command.stdout.destroy())
  const [status] = await once(command, 'close')
  expect({ status, err }).toEqual({ status: 0, err: '' })
})
