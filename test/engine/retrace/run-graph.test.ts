import { afterEach, expect, test } from 'vitest'
import { type Bench, done, failing } from '../support/harness.ts'
import { never, type Opening, opened, retracing } from '../support/retraced.ts'

let bench: Bench
afterEach(() => bench.close())
const open = async (...given: Opening): Promise<void> => {
  bench = await opened(...given)
}
const { retraces } = retracing(() => bench)
const act = (id: string, more = ''): string => `{ id: ${id}, skill: directory.suspend_user, with: { user: ada }${more} }`

async function graph() {
  const { graph: found } = await retraces().graph(await bench.ended(), never)
  return {
    nodes: Object.fromEntries((found?.nodes ?? []).map(({ address, states, step }) => [address, { ...states, ...(step && { step }) }])),
    taken: (found?.edges ?? []).filter(({ taken }) => taken).map(({ from, to, kind }) => `${from ?? 'begin'} -${kind}-> ${to ?? 'end'}`),
  }
}

/** Each write: its node, what became of it, and the steps that decided it. */
async function writes() {
  const explained = await retraces().writes(await bench.ended(), never)
  return (explained.writes ?? []).map(({ node, state, count, cause, because }) => [node.address, state, count, cause, ...because])
}

test('the way that a run took is lit, with counts for loops', async () => {
  await open(
    `
- id: look
  skill: directory.get_user
  with: { user: ada }
- id: decide
  if: { '==': [{ var: steps.look.output.state }, gone] }
  then: [${act('late')}]
- id: each
  foreach: '{{ alert.content.list }}'
  as: n
  max_items: 9
  steps:
    - { id: odd, if: { '==': [{ '%': [{ var: n }, 2] }, 1] }, set: { last: '{{ n }}' } }
- ${act('last')}`,
    { list: [1, 2, 3] },
  )
  await bench.live(() => done({ state: 'active' }))
  expect(await graph()).toEqual({
    nodes: {
      look: { done: 1, step: 'look' },
      decide: { done: 1, step: 'decide' },
      'decide/late': {},
      each: { done: 1, step: 'each' },
      'each/*/odd': { done: 2, skipped: 1, step: 'each/1/odd' },
      last: { done: 1, step: 'last' },
    },
    taken: ['begin -next-> look', 'look -next-> decide', 'decide -else-> each', 'each -each-> each/*/odd', 'each -next-> last', 'last -next-> end'],
  })
  expect(await writes()).toEqual([
    ['decide/late', null, 0, 'branch', 'decide'],
    ['last', 'done', 1, null, 'last'],
  ])
  const { steps } = await retraces().writes(await bench.ended(), never)
  expect(steps[0]).toMatchObject({ address: 'decide', why: [{ of: 'test', holds: false }] })
})

test('a failure, a skipped write and an unneeded handler are explained', async () => {
  await open(
    `
- ${act('skipped', ", if: { '==': [1, 2] }")}
- ${act('fails', `, on_error: continue`)}
- id: fine
  skill: directory.get_user
  with: { user: ada }
  on_error: [${act('handler')}]
- id: none
  foreach: '{{ alert.content.list }}'
  as: n
  max_items: 9
  steps: [${act('inner')}]
- ${act('refused')}
- ${act('never')}`,
    { list: [] },
  )
  await bench.live(({ skill }) => (skill.id === 'get_user' ? done({ state: 'x' }) : failing('refused', 'vendor_refused')))
  expect(await writes()).toEqual([
    ['skipped', 'skipped', 1, 'itself', 'skipped'],
    ['fails', 'failed', 1, 'itself', 'fails'],
    ['fine/on_error/handler', null, 0, 'no_error', 'fine'],
    ['none/*/inner', null, 0, 'no_items', 'none'],
    ['refused', 'failed', 1, 'itself', 'refused'],
    ['never', null, 0, 'failed', 'refused'],
  ])
  const { taken } = await graph()
  expect(taken).toContain('fails -next-> fine')
  expect(taken).not.toContain('refused -next-> never')
})

test('a `stop` is named with the condition that led to it', async () => {
  await open(
    `
- id: check
  if: { '==': [{ var: alert.content.kind }, drill] }
  then: [{ id: quit, stop: { outcome: completed, reason: A drill } }]
- ${act('act')}`,
    { kind: 'drill' },
  )
  await bench.live(() => done({ state: 'x' }))
  expect(await writes()).toEqual([['act', null, 0, 'stopped', 'check/quit', 'check']])
  expect((await graph()).taken).toEqual(['begin -next-> check', 'check -then-> check/quit', 'check/quit -stop-> end'])
})
