import { expect, test } from 'vitest'
import { countedWriter } from '../../../../test/support/stores/counted-writer.ts'
import { inLane } from '../../../fairness/index.ts'

const round = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

test('a run of another lane is answered before a flood, and its next call is sent before the flood works on', async () => {
  const { look, batches } = await countedWriter()
  const order: string[] = []
  const twice = async (name: string): Promise<void> => {
    await look()
    order.push(name)
    await look()
  }
  const flood = Array.from({ length: 9 }, () => inLane('flood', () => twice('flood')))
  await Promise.all([...flood, inLane('light', () => twice('light'))])
  expect(order.slice(0, 2)).toEqual(['light', 'flood'])
  // The second batch has the second call of the light lane and the three of the flood that waited, and no second call of the flood.
  expect(batches().slice(0, 2)).toEqual([7, 4])
})

test('a call of another lane that waits is sent before the answers of a flood are told', async () => {
  const { look, batches } = await countedWriter()
  const again = async (): Promise<void> => {
    await look()
    await look()
  }
  const flood = Array.from({ length: 9 }, () => inLane('flood', again))
  await round()
  const light = inLane('light', look)
  await Promise.all([...flood, light])
  expect(batches().slice(0, 2)).toEqual([9, 1])
})

test('runs of several other lanes share a batch, however much code runs between their calls', async () => {
  const { look, batches } = await countedWriter()
  const after = async (waits: number): Promise<void> => {
    await look()
    for (let wait = 0; wait < waits; wait += 1) await null
    await look()
  }
  const flood = Array.from({ length: 9 }, () => inLane('flood', look))
  const light = [0, 5, 50].map((waits) => inLane(`light ${waits}`, () => after(waits)))
  await Promise.all([...flood, ...light])
  expect(batches()).toEqual([9, 6])
})

test('without a flood, calls wait for the end of their round, so that those of all lanes share a batch', async () => {
  const { look, batches } = await countedWriter()
  const some = Array.from({ length: 8 }, () => inLane('some', look))
  const light = inLane('light', look)
  await null
  await Promise.all([...some, light, inLane('other', look)])
  expect(batches()).toEqual([10])
})

test('a run of another lane is told the failure of its call too, and a flood gets its answers after that', async () => {
  const { writer, look } = await countedWriter()
  const flood = Array.from({ length: 9 }, () => inLane('flood', look))
  const fails = inLane('light', () => writer.call('alerts', 'insert', [{ organizations: [] }, [{ organization: 'acme' }]]))
  await expect(fails).rejects.toMatchObject({ code: 'organization_forbidden' })
  expect(await Promise.all(flood)).toHaveLength(9)
})
