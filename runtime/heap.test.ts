import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Keeps objects of 40 MB, and makes old garbage until V8 collects it. Prints how large the heap became, as a multiple of what was alive. */
const program = `
  import { getHeapSpaceStatistics } from 'node:v8'
  const old = ({ space_name }) => space_name === 'old_space' || space_name === 'large_object_space'
  const used = () => getHeapSpaceStatistics().filter(old).reduce((sum, { space_used_size }) => sum + space_used_size, 0)
  const large = () => new Array(20_000).fill(0)
  const kept = Array.from({ length: 250 }, large)
  gc()
  const alive = used()
  let most = alive
  // What is here when young objects are collected becomes old.
  const last = []
  for (let made = 0; made < 20_000 && used() > most - alive / 4; made++) {
    last[made % 50] = large()
    most = Math.max(most, used())
  }
  console.log(JSON.stringify([kept.length, most / alive]))
`

/** Returns how large the heap became. Without heap.js it is 4.5 times what was alive, if V8 collects fast. */
function growth(): number {
  const heap = new URL('heap.js', import.meta.url).href
  const told = execFileSync(process.execPath, ['--expose-gc', '--import', heap, '--input-type=module', '--eval', program], { encoding: 'utf8' })
  return (JSON.parse(told) as [number, number])[1]
}

test('old garbage is collected before a heap has four times the size of what is alive', () => {
  expect(growth()).toBeLessThan(4)
})
