import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('../../../docs/decisions/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.md'))

test('each decision has its own number, which is the same in file name and title', () => {
  const numbers = files.map((name) => Number(name.slice(0, 4)))
  expect(numbers.length).toBeGreaterThan(20)
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
  const titled = files.map((name) => Number(readFileSync(new URL(name, folder), 'utf8').match(/^# (\d+)\. /)?.[1]))
  expect(titled).toEqual(numbers)
})
