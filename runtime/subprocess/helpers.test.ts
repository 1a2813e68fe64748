import { existsSync } from 'node:fs'
import { getPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { until } from '../../test/support/until.ts'
import { Helpers, type HelpersEnd, launchConfined } from './index.ts'
import type { TestTask } from './testing-child.ts'

let clock: ManualClock
let helpers: Helpers
let pids: number[]

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

function helpersOf(processes: number): Helpers {
  const launch = () => {
    const child = launchConfined({
      module: here('./testing-child.ts'),
      reads: [here('../'), here('../../package.json')],
      flags: ['--max-old-space-size=64', '--allow-worker'],
      errors: 'pipe',
      givesWay: true,
    })
    pids.push(child.pid ?? 0)
    return child
  }
  return new Helpers({
    launch,
    processes,
    deadline: 10_000,
    waiting: { each: 2, all: 3 },
    within: 30_000,
    idle: 60_000,
    clock,
    processorTime: () => clock.now(),
  })
}

beforeEach(() => {
  clock = new ManualClock()
  pids = []
  helpers = helpersOf(2)
})
afterEach(() => helpers.close())

const ask = (task: TestTask, owner = 'acme'): Promise<HelpersEnd> => helpers.run(owner, () => task)
const echo = (value: unknown): TestTask => ({ do: 'echo', value })
const done = (body: unknown): HelpersEnd => ({ kind: 'done', body })

test('a process does one task after the other, and gets what it is sent as data', async () => {
  const value = { map: new Map([['a', new Set([1])]]), numbers: Int32Array.of(1, 2), none: null }
  expect(await ask(echo(value))).toEqual(done(value))
  expect(await ask(echo('again'))).toEqual(done('again'))
  expect(pids).toHaveLength(1)
})

test('it has no environment, only its own files, and a lower priority', async () => {
  process.env['CANARY_OF_HELPERS'] = 'secret'
  expect(await ask({ do: 'environment' })).toEqual(done(['LC_ALL', 'TZ']))
  expect(await ask({ do: 'read', path: '/etc/passwd' })).toMatchObject({ kind: 'failed', message: expect.stringContaining('has been restricted') })
  expect(getPriority(pids[0])).toBeGreaterThan(getPriority())
})

test('a failed task leaves its process to the next task', async () => {
  expect(await ask({ do: 'throw' })).toMatchObject({ kind: 'failed', message: expect.stringContaining('broken') })
  expect(await ask(echo(1))).toEqual(done(1))
  expect(pids).toHaveLength(1)
})

test('a task over its time limit is killed, and no other task', async () => {
  await Promise.all([ask(echo(1), 'acme'), ask(echo(1), 'globex')])
  const spinning = ask({ do: 'spin' }, 'acme')
  expect(await ask(echo('other'), 'globex')).toEqual(done('other'))
  clock.advance(10_000)
  expect(await spinning).toEqual({ kind: 'late' })
  expect(await ask(echo('next'), 'acme')).toEqual(done('next'))
})

test('the time of a task counts from when its process is ready', async () => {
  const first = ask(echo('first'))
  clock.advance(50_000)
  expect(await first).toEqual(done('first'))
})

test('a process that does not start is killed', async () => {
  const first = ask(echo('first'))
  clock.advance(60_000)
  expect(await first).toMatchObject({ kind: 'died' })
})

test('a task over its memory limit is killed and reported as such', async () => {
  expect(await ask({ do: 'hoard' })).toEqual({ kind: 'memory' })
  expect(await ask(echo(1))).toEqual(done(1))
})

test('a task learns that its process ended', async () => {
  expect(await ask({ do: 'exit' })).toMatchObject({ kind: 'died', message: expect.stringContaining('3') })
})

test('one owner alone leaves a process to others, and waits', async () => {
  await Promise.all([ask(echo(1), 'acme'), ask(echo(1), 'globex')])
  const order: string[] = []
  const note = (name: string) => (end: HelpersEnd) => {
    order.push(name)
    return end
  }
  const spinning = ask({ do: 'spin' }, 'acme')
  const waiting = ask(echo('acme'), 'acme').then(note('acme'))
  expect(await ask(echo('globex'), 'globex').then(note('globex'))).toEqual(done('globex'))
  clock.advance(10_000)
  expect([await spinning, await waiting]).toEqual([{ kind: 'late' }, done('acme')])
  expect(order).toEqual(['globex', 'acme'])
})

test('only a limited number of tasks wait, and none forever', async () => {
  await ask(echo(1))
  const spinning = ask({ do: 'spin' })
  const [first, second] = [ask(echo(1)), ask(echo(2))]
  expect(await ask(echo(3))).toEqual({ kind: 'busy' })
  clock.advance(10_000)
  expect(await spinning).toEqual({ kind: 'late' })
  expect([await first, await second]).toEqual([done(1), done(2)])
})

test('an idle process is ended after a while, and started again', async () => {
  await ask(echo(1))
  clock.advance(60_000)
  await until(async () => !existsSync(`/proc/${pids[0]}`))
  expect(await ask(echo(2))).toEqual(done(2))
  expect(pids).toHaveLength(2)
})

test('a process keeps what it was sent', async () => {
  const sent: boolean[] = []
  const send = (keeps: Set<string>): TestTask => {
    sent.push(!keeps.has('it'))
    keeps.add('it')
    return echo(1)
  }
  await helpers.run('acme', send)
  await helpers.run('acme', send)
  await ask({ do: 'exit' })
  await helpers.run('acme', send)
  expect(sent).toEqual([true, false, true])
})

test('closing ends tasks under way', async () => {
  const spinning = ask({ do: 'spin' })
  await helpers.close()
  expect(['late', 'died']).toContain((await spinning).kind)
  expect(await ask(echo(1))).toMatchObject({ kind: 'died' })
})
