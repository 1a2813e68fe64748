import { expect, test } from 'vitest'
import { countedWriter } from '../../../../test/support/stores/counted-writer.ts'
import { inLane } from '../../../fairness/index.ts'

const round = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

test('after a large batch, the calls of the next rounds of the event loop share one', async () => {
  const { look, looks, batches } = await countedWriter()
  await looks(9)
  const one = look()
  await round()
  await Promise.all([one, look()])
  expect(batches()).toEqual([9, 2])
})

test('a call of another lane ends the wait', async () => {
  const { look, looks, batches } = await countedWriter()
  await inLane('flood', () => looks(9))
  const flood = inLane('flood', look)
  const light = inLane('light', look)
  await round()
  await Promise.all([flood, light, inLane('flood', look)])
  expect(batches()).toEqual([9, 2, 1])
})

test('an alert that is stored ends the wait, and the calls after it wait again', async () => {
  const { writer, look, looks, batches } = await countedWriter()
  await looks(9)
  const others = [look(), writer.call('alerts', 'insert', [{ organizations: 'all' }, []])]
  await round()
  await Promise.all([...others, look()])
  await looks(9)
  const one = look()
  await round()
  await Promise.all([one, look()])
  expect(batches()).toEqual([9, 2, 1, 9, 2])
})

test('calls that wait for more rounds are answered before the thread ends', async () => {
  const { writer, look, looks, batches } = await countedWriter()
  await looks(9)
  const one = look()
  await writer.finish()
  await one
  expect(batches()).toEqual([9, 1])
})

test('after a small batch, a call leaves at the end of its round', async () => {
  const { look, looks, batches } = await countedWriter()
  await looks(8)
  const one = look()
  await round()
  await Promise.all([one, look()])
  expect(batches()).toEqual([8, 1, 1])
})
