import { afterEach, expect, test } from 'vitest'
import { answered, fine, handlerSystem, notSent, type Reply } from '../support/handler-system.ts'
import { type Answer, Bench, Crash, failing, playbook } from '../support/harness.ts'

/*
 * A handler cannot start again, because its connection has changed meanwhile. What it did before is in the journal.
 */

let bench: Bench
afterEach(() => bench.close())

const system = (reply: Reply): Answer => handlerSystem(bench, [], reply)
const open = async (step: string): Promise<void> => {
  bench = await Bench.open(playbook(`- id: act\n${step}`))
}
const changed: Answer = () => failing('not_sent', 'connection_changed')
const failedStep = async () => (await bench.records()).find(({ kind }) => kind === 'failed')
const left = async () => (await bench.undoDesk().preview(await bench.ended(), false)).document.left.map(({ code }) => code)

test('it has changed what its answered requests changed', async () => {
  await open('  skill: directory.stamp_user\n  with: { user: ada }\n  retry: { attempts: 3, delay: 10m, on: [network] }')
  expect(await bench.live(system((_, number) => (number === 2 ? notSent : answered({}))))).toBe(false)
  bench.clock.advance(3_600_000)
  expect(await bench.live(changed)).toBe(true)
  expect(await failedStep()).toMatchObject({
    effect: 'done',
    failure: { code: 'connection_changed', message: expect.stringContaining('1 of its requests had changed something') },
  })
  expect(await left()).toEqual(['undo_partial'])
})

test('it may have changed what its request under way changes', async () => {
  await open('  skill: directory.tag_users\n  with: { users: [ada] }')
  const dying = system((request, number) => {
    if (number === 2) throw new Crash()
    return fine(request)
  })
  expect(await bench.live(dying)).toBe(false)
  expect(await bench.live(changed)).toBe(true)
  expect(await failedStep()).toMatchObject({ effect: 'unknown', failure: { code: 'connection_changed' } })
  expect(await left()).toEqual(['undo_in_doubt'])
})

test('it has changed nothing if nothing was answered', async () => {
  await open('  skill: directory.stamp_user\n  with: { user: ada }\n  retry: { attempts: 3, delay: 10m, on: [network] }')
  expect(await bench.live(system(() => notSent))).toBe(false)
  bench.clock.advance(3_600_000)
  expect(await bench.live(changed)).toBe(true)
  expect(await failedStep()).toMatchObject({ effect: 'not_sent' })
  expect(await left()).toEqual(['undo_not_happened'])
})
