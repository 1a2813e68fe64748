import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { systemScope } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { filesOf } from '../files/names.ts'
import { Channel, type EarlyAnswer } from './channel.ts'

async function opened() {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-early-'))
  const files = filesOf(directory)
  const clock = new ManualClock()
  const writer = Channel.start({ role: 'writer', files, companions: [], now: clock.now() }, clock, () => {})
  await writer.open()
  await writer.begin()
  onTestFinished(async () => {
    await writer.close()
    rmSync(directory, { recursive: true })
  })
  const settle = (value: string): EarlyAnswer => writer.callEarly('settings', 'settle', [systemScope, 'installation', value])
  return { files, writer, settle }
}

/** Returns which of the two answers comes first. */
const first = ({ executed, committed }: EarlyAnswer): Promise<string> =>
  Promise.race([executed.then(() => 'executed'), committed.then(() => 'committed')])

test('an early call is answered when it was executed, and when it was committed', async () => {
  const { settle } = await opened()
  const answer = settle('one')
  expect(await first(answer)).toBe('executed')
  expect(await Promise.all([answer.executed, answer.committed])).toEqual(['one', 'one'])
})

test('early calls that share a batch get their own values', async () => {
  const { writer, settle } = await opened()
  const other = writer.call('probe', 'look', [])
  const [one, two] = [settle('one'), writer.callEarly('settings', 'settle', [systemScope, 'administrator', 'ada'])]
  expect(await Promise.all([one.executed, two.executed])).toEqual(['one', 'ada'])
  await Promise.all([other, one.committed, two.committed])
})

test('in a large batch, an early call is answered with its commit', async () => {
  const { writer, settle } = await opened()
  const others = Array.from({ length: 8 }, () => writer.call('probe', 'look', []))
  expect(await first(settle('one'))).toBe('committed')
  await Promise.all(others)
})

test('if the files are gone, an early call was executed, but is not committed', async () => {
  const { files, settle } = await opened()
  // The writer looks at its files after the first call, and then not again, because the clock stands still.
  await settle('one').committed
  await settle('one').committed
  renameSync(files.database, `${files.database}.moved`)
  const answer = settle('two')
  await expect(answer.committed).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(await answer.executed).toBe('one')
  renameSync(`${files.database}.moved`, files.database)
})

test('early calls that were refused while they waited do not disturb those that follow', async () => {
  const { writer, settle } = await opened()
  const refused = settle('one')
  writer.refuse(new TocsinError('store_unavailable', 'The files are away.'))
  await expect(refused.committed).rejects.toMatchObject({ message: 'The files are away.' })
  writer.refuse(null)
  const answer = settle('two')
  expect(await Promise.all([answer.executed, answer.committed])).toEqual(['two', 'two'])
})
