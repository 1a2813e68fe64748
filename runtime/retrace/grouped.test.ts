import { expect, test } from 'vitest'
import { type GroupedStep, grouped, ungrouped } from './grouped.ts'
import type { OutlinedStep } from './outline.ts'
import type { StepState } from './step-state.ts'

const step = (address: string, state: StepState = 'done'): OutlinedStep => ({ address, state, reached: true })
const now = () => null
const line = ({ address, state, iterations, unlisted, alike }: GroupedStep): string =>
  `${address} ${state}${iterations === null ? '' : ` of ${iterations}`}${unlisted > 0 ? `, ${unlisted} unlisted` : ''}${alike > 0 ? ` +${alike}` : ''}`

test('each different way through a loop is listed once, with its first iteration', async () => {
  const steps = [step('each')]
  for (let index = 0; index < 1_000; index += 1) {
    steps.push(step(`each/${index}/look`), step(`each/${index}/tell`, index === 7 || index === 9 ? 'done' : 'skipped'))
    if (index === 400) steps.push(step(`each/${index}/act`, 'failed'))
  }
  steps.push(step('after'))
  expect((await grouped(steps, now)).map(line)).toEqual([
    'each done of 1000',
    'each/0/look done +996',
    'each/0/tell skipped',
    'each/7/look done +1',
    'each/7/tell done',
    'each/400/look done',
    'each/400/tell skipped',
    'each/400/act failed',
    'after done',
  ])
  expect((await ungrouped(steps, now)).map(({ address }) => address)).toEqual(steps.map(({ address }) => address))
  expect((await ungrouped(steps, now))[0]).toMatchObject({ iterations: 1_000, unlisted: 0 })
})

test('iterations with the same ways through an inner loop are equal', async () => {
  const steps = [0, 1, 2].flatMap((outer) => [
    step(`each/${outer}/in`),
    ...Array.from({ length: outer + 1 }, (_, index) => step(`each/${outer}/in/${index}/x`, outer === 2 && index === 2 ? 'failed' : 'done')),
  ])
  expect((await grouped([step('each'), ...steps], now)).map(line)).toEqual([
    'each done of 3',
    'each/0/in done of 1 +1',
    'each/0/in/0/x done',
    'each/2/in done of 3',
    'each/2/in/0/x done +1',
    'each/2/in/2/x failed',
  ])
})

test('the calls of a poll are iterations; if there are too many ways, those with trouble are listed', async () => {
  expect((await grouped([step('poll'), step('poll/0', 'failed'), step('poll/1'), step('poll/2')], now)).map(line)).toEqual([
    'poll done of 3',
    'poll/0 failed',
    'poll/1 done +1',
  ])
  const ways = Array.from({ length: 50 }, (_, index) => step(`each/${index}/way_${index}`, index >= 45 ? 'failed' : 'done'))
  const listed = await grouped([step('each'), ...ways], now)
  expect(listed[0]).toMatchObject({ iterations: 50, unlisted: 30 })
  expect(listed.filter(({ state }) => state === 'failed')).toHaveLength(5)
  expect(listed.map(({ address }) => address)).toEqual(
    ['each', ...ways.slice(0, 15), ...ways.slice(45)].map((one) => (typeof one === 'string' ? one : one.address)),
  )
})

test('steps are grouped by address alone if the playbook is gone', async () => {
  expect((await grouped([step('each/0/ask'), step('each/1/ask'), step('end')], now)).map(line)).toEqual(['each/0/ask done +1', 'end done'])
})
