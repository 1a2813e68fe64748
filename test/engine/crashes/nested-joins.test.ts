import { afterEach, expect, test } from 'vitest'
import { Bench, done, failing, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const call = (id: string, skill = 'get_user'): string => `{ id: ${id}, skill: directory.${skill}, with: { user: ${id} } }`
const inner = `{ id: inner, parallel: { branches: { x: [${call('doubted', 'page_user')}], y: [${call('look')}, { id: tell, case: { note: y } }, { id: more, case: { note: z } }] } } }`
const text = playbook(`
- id: outer
  parallel: { join: any, rest: cancel, branches: { quick: [${call('quick')}], slow: [${inner}] } }
- ${call('late', 'page_user')}`)

test('a join inside a branch that was cancelled ends the same way in every execution', async () => {
  bench = await Bench.open(text)
  const answer = ({ skill }: { readonly skill: { readonly id: string } }) => (skill.id === 'page_user' ? failing('unknown') : done({ state: 'x' }))
  await bench.live(answer)
  // Each answer about a write in doubt wakes the run. After the first, the inner join is reached.
  for (const answered of await bench.decisions()) {
    await bench.answerTo(answered.id, 'happened', 'ada')
    await bench.live(answer)
  }
  expect(await bench.ended()).toMatchObject({ state: 'completed', failure: null })
  expect(bench.called).toEqual(expect.arrayContaining(['get_user quick', 'page_user doubted', 'get_user look', 'page_user late']))
  expect(bench.called).toHaveLength(4)
})
