import { describe, expect, it, test } from 'vitest'
import { mostUrgentError, RunFailed, Sleeping, StepFailed, Stopped } from '../../failure/signals.ts'
import { BackgroundWork, type Part, runConcurrently } from './run-concurrently.ts'

/** Creates parts that end when the test says so, and records what they did. */
function parts(...begun: boolean[]) {
  const log: string[] = []
  const gates = begun.map(() => Promise.withResolvers<void>())
  const made: Part[] = begun.map((was, index) => ({
    begun: was,
    async run() {
      log.push(`begin ${index}`)
      await gates[index]?.promise
      log.push(`end ${index}`)
    },
  }))
  return { made, log, gates }
}

test('at most that many run at once, and they begin in order', async () => {
  const { made, log, gates } = parts(false, false, false)
  const all = runConcurrently(made, 2)
  expect(log).toEqual(['begin 0', 'begin 1'])
  for (const gate of gates) gate.resolve()
  await all
  expect(log).toEqual(['begin 0', 'begin 1', 'end 0', 'end 1', 'begin 2', 'end 2'])
})

test('after an error those under way finish, and only parts of an earlier execution begin', async () => {
  const { made, log, gates } = parts(false, false, false, true)
  const all = runConcurrently(made, 2)
  gates[1]?.reject(new Error('first'))
  await new Promise(setImmediate)
  gates[3]?.reject(new Error('second'))
  gates[0]?.resolve()
  await expect(all).rejects.toThrow('first')
  expect(log).toEqual(['begin 0', 'begin 1', 'begin 3', 'end 0'])
})

test('background work is waited for, and so is work that it adds', async () => {
  const left = new BackgroundWork()
  const within = { isOver: false }
  left.add(
    Promise.resolve().then(() => left.add(Promise.reject(new Error('inner')), within)),
    within,
  )
  left.add(Promise.reject(new Error('outer')), within)
  expect(await left.ended()).toEqual([new Error('outer'), new Error('inner')])
})

test('background work that only sleeps does not count if the part around it was stopped meanwhile', async () => {
  const left = new BackgroundWork()
  const within = { isOver: false }
  const doubt = new Sleeping(null, true)
  left.add(Promise.reject(new Sleeping(1)), within)
  left.add(Promise.reject(doubt), within)
  left.add(
    Promise.resolve().then(() => {
      within.isOver = true
    }),
    { isOver: false },
  )
  expect(await left.ended()).toEqual([doubt])
})

describe('a part that sleeps', () => {
  const part = (run: () => Promise<void>) => ({ begun: false, run })

  it('lets the others go on, and the earliest wake time wins', async () => {
    const ran: string[] = []
    const note = (name: string) => part(async () => void ran.push(name))
    const sleep = (at: number | null) =>
      part(async () => {
        throw new Sleeping(at)
      })
    await expect(runConcurrently([sleep(null), note('a'), sleep(20), note('b'), sleep(10), note('c')], 4)).rejects.toMatchObject({ wakeAt: 10 })
    expect(ran).toEqual(['a', 'b', 'c'])
    await expect(runConcurrently([sleep(null), note('d')], 1)).rejects.toMatchObject({ wakeAt: null })
    expect(ran).not.toContain('d')
  })

  it('wins over a failed step, and loses to an error that fails the run', () => {
    const failure = { code: 'x', message: 'x', remedy: null, step: null }
    const sleeping = new Sleeping(5)
    expect(mostUrgentError([new StepFailed(failure), sleeping, new Stopped('completed', null)])).toEqual(sleeping)
    const over = new RunFailed(failure)
    expect(mostUrgentError([sleeping, over])).toBe(over)
  })
})

test('parts of an earlier execution begin although all others sleep', async () => {
  const ran: string[] = []
  const asleep: Part = {
    begun: true,
    async run() {
      throw new Sleeping(1)
    },
  }
  const noting = (name: string, begun: boolean): Part => ({ begun, run: async () => void ran.push(name) })
  await expect(runConcurrently([asleep, asleep, noting('new', false), noting('old', true)], 2)).rejects.toBeInstanceOf(Sleeping)
  expect(ran).toEqual(['old'])
})

test('a wait for a write in doubt wins over an error that ends the run, and loses to one that only interrupts it', () => {
  const doubt = new Sleeping(null, true)
  const over = new RunFailed({ code: 'x', message: '', remedy: null, step: null })
  expect(mostUrgentError([over, new Stopped('completed', null), doubt])).toMatchObject({ binding: true })
  expect(mostUrgentError([over, new Sleeping(3)])).toBe(over)
  const broken = new Error('the store does not answer')
  expect(mostUrgentError([doubt, broken])).toBe(broken)
})
