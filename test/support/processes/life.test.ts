import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { Life } from './life.ts'

function start(program: string): Life {
  return new Life('a program', spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'pipe', 'pipe'] }))
}
const never = new Promise<never>(() => {})
const fails = 'console.error("no such disk"); process.exitCode = 3'
const lasts = 'setInterval(() => {}, 1_000_000)'

test('a process that ends while a test waits for something fails the test at once, with what it printed', async () => {
  const life = start(fails)
  await expect(until(() => false)).rejects.toThrow(/^a program ended with 3\. It had printed:\nno such disk/)
  // A test that asks for the end expects it.
  expect(await life.ended()).toEqual({ code: 3, signal: null })
  expect(await until(() => true)).toBe(true)
})

test('a process that ends before it is ready says why', async () => {
  await expect(start(fails).before(never)).rejects.toThrow('a program ended with 3. It had printed:\nno such disk')
  const gone = start(fails)
  await gone.ended()
  await expect(gone.before(never)).rejects.toThrow('no such disk')
  const nothing = new Life('a program', spawn('/dev/null', { stdio: ['ignore', 'pipe', 'pipe'] }))
  await expect(nothing.before(never)).rejects.toThrow('EACCES')
})

test('a process that a test has only stalled for a while is expected to live', async () => {
  const child = spawn(process.execPath, ['--eval', fails], { stdio: ['ignore', 'pipe', 'pipe'] })
  const life = new Life('a program', child)
  child.kill('SIGSTOP')
  child.kill('SIGCONT')
  await expect(until(() => false)).rejects.toThrow('a program ended with 3')
  await life.ended()
})

test('a process that a test has ended, or whose end it expects, fails nothing', async () => {
  const [killed, stopped, expected] = [start(lasts), start(lasts), start(fails)]
  await Promise.all([killed.kill(), stopped.stop(), expected.ended()])
  // It has ended already.
  await killed.kill()
  let asked = 0
  expect(await until(() => ++asked > 2)).toBe(true)
})

test('a process that a test has stalled can be stopped', async () => {
  const child = spawn(process.execPath, ['--eval', lasts], { stdio: 'ignore' })
  const life = new Life('a program', child)
  child.kill('SIGSTOP')
  await life.stop()
  expect(await life.ended()).toEqual({ code: null, signal: 'SIGTERM' })
})
