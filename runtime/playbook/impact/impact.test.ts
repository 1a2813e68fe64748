import { expect, it } from 'vitest'
import { bundleScript } from '../../plugin/index.ts'
import { compilePlaybook } from '../compile/compile.ts'
import { type KnownSkill, noPlaybooks, type PlaybookSource, type SkillLookup } from '../compile/lookup.ts'
import { withPlaybooks } from '../compile/with-playbooks.ts'
import { type Impact, impactOf } from './impact.ts'

const user: KnownSkill['document'] = { input: { type: 'object', properties: { user: {}, other: {} } }, target: '{{ input.user }}' }
const skills: Readonly<Record<string, KnownSkill>> = {
  look: { impact: 'read', document: { input: { type: 'object' }, minimum_role: 'reader' } },
  suspend: { impact: 'high', document: { ...user, minimum_role: 'admin' } },
  note: { impact: 'write', document: user },
  post: { impact: 'write', document: { input: { type: 'object' } } },
  usual: { impact: 'write', document: { ...user, input: { type: 'object', properties: { user: { default: 'root' } } } } },
  pair: { impact: 'write', document: { ...user, target: '{{ input.user }}/{{ input.other }}' } },
}
const lookup: SkillLookup = {
  integrations: () => ['dir'],
  skills: () => Object.keys(skills),
  skill: (_integration, skill) => skills[skill] ?? null,
  codes: () => [],
  filters: () => ({}),
  script: bundleScript,
  ...noPlaybooks,
}

const inputs = `inputs: { user: { type: string }, list: { type: array } }`

function impact(steps: string) {
  const text = `format: 1\nplaybook: test\nalert_type: test\n${inputs}\nsteps:\n${steps.trim().replace(/^/gm, '  ')}\n`
  return impactOf(compilePlaybook(text, 'test.yaml', lookup), lookup)
}

/** Returns [high, write, read, targets]. */
function counts(steps: string): number[] {
  const { high, write, read, targets } = impact(steps)
  return [high, write, read, targets]
}

/** Returns a call step whose user is an expression. */
function call(skill: string, user: string, rest = ''): string {
  return `- { id: ${skill}_${ids++}, skill: dir.${skill}, with: { user: '${user}' }${rest} }`
}
let ids = 0
const indent = (text: string, by = 4): string => text.replace(/^/gm, ' '.repeat(by))
const branch = (then: string, otherwise = '- { id: none, set: { x: 1 } }'): string =>
  `- id: b${ids++}\n  if: { '==': [{ var: inputs.user }, ada] }\n  then:\n${indent(then)}\n  else:\n${indent(otherwise.replace('none', `none${ids++}`))}`
const loop = (steps: string, items = 'inputs.list', more = ''): string =>
  `- id: l${ids++}\n  foreach: '{{ ${items} }}'\n  max_items: 10\n${more}  steps:\n${indent(steps)}`
const stop = (): string => `- { id: s${ids++}, stop: { outcome: completed } }`

const ada = '{{ inputs.user }}'

it('adds up steps that follow one another, and lists each skill with role, connection and approval, highest impact first', () => {
  const found = impact([call('look', ada), call('note', ada), call('suspend', ada), call('look', ada)].join('\n'))
  expect(found).toEqual({
    high: 1,
    write: 1,
    read: 2,
    targets: 1,
    skills: [
      { skill: 'dir.suspend', impact: 'high', maxCalls: 1, role: 'admin', connection: 'dir', approval: 'policy' },
      { skill: 'dir.note', impact: 'write', maxCalls: 1, role: null, connection: 'dir', approval: 'none' },
      { skill: 'dir.look', impact: 'read', maxCalls: 2, role: 'reader', connection: 'dir', approval: 'none' },
    ],
    unbounded: [],
  })
})

it('takes the larger branch, for each number by itself', () => {
  expect(counts(branch(`${call('note', ada)}\n${call('note', 'x')}`, call('suspend', ada)))).toEqual([1, 2, 0, 2])
})

it('does not get smaller by a guard or a retry', () => {
  expect(counts(call('suspend', ada, ', if: false'))).toEqual([1, 0, 0, 1])
  expect(counts(call('note', ada, ', retry: { attempts: 5 }'))).toEqual([0, 1, 0, 1])
})

it('adds the steps of on_error, also for a loop that fails', () => {
  expect(counts(`- id: a\n  skill: dir.note\n  with: { user: a }\n  on_error:\n${indent(call('note', 'b'))}`)).toEqual([0, 2, 0, 2])
  expect(counts(`${loop(call('note', '{{ item }}'))}\n  on_error:\n${indent(call('suspend', ada))}`)).toEqual([1, 10, 0, 11])
})

it('multiplies a loop by its max_items, and a nested loop by both', () => {
  expect(counts(loop(call('note', '{{ item }}')))).toEqual([0, 10, 0, 10])
  expect(counts(loop(loop(call('note', '{{ inner }}'), 'item', '  as: inner\n')))).toEqual([0, 100, 0, 100])
  expect(counts(`- { id: l, foreach: [a, b], steps: [{ id: n, skill: dir.note, with: { user: '{{ item }}' } }] }`)).toEqual([0, 2, 0, 2])
})

it('counts nothing after a certain stop, and only one way if one branch stops', () => {
  expect(counts([call('note', 'a'), stop(), call('note', 'b')].join('\n'))).toEqual([0, 1, 0, 1])
  expect(counts([branch(`${call('note', 'a')}\n${stop()}`), call('note', 'b')].join('\n'))).toEqual([0, 1, 0, 1])
  expect(counts([branch(`${call('note', 'a')}\n${stop()}`), call('note', 'b'), call('note', 'c')].join('\n'))).toEqual([0, 2, 0, 2])
})

it('counts the steps after a stop that may be skipped or may fail', () => {
  const guarded = `- { id: s, if: { '==': [{ var: inputs.user }, ada] }, stop: { outcome: completed } }`
  expect(counts(`${guarded}\n${call('note', 'a')}`)).toEqual([0, 1, 0, 1])
  const failing = `- { id: s, stop: { outcome: completed, reason: 'of {{ inputs.user }}' }, on_error: continue }`
  expect(counts(`${failing}\n${call('note', 'a')}`)).toEqual([0, 1, 0, 1])
  const certain = `- { id: s, stop: { outcome: completed, reason: over }, on_error: continue }`
  expect(counts(`${certain}\n${call('note', 'a')}`)).toEqual([0, 0, 0, 0])
})

it('counts what a branch did before it failed with on_error: continue', () => {
  const passed = `${branch(`${call('note', 'a')}\n${call('note', 'b')}\n${stop()}`)}\n  on_error: continue`
  expect(counts(`${passed}\n${call('note', 'c')}`)).toEqual([0, 3, 0, 3])
})

it('adds the branches of parallel; one that stops ends the run only if the join waits for it', () => {
  const parallel = (join: string): string =>
    `- id: p${ids++}\n  parallel:\n    join: ${join}\n    branches:\n      left:\n${indent(`${call('note', 'a')}\n${stop()}`, 8)}\n      right:\n${indent(call('note', 'b'), 8)}`
  expect(counts([parallel('all'), call('note', 'c')].join('\n'))).toEqual([0, 2, 0, 2])
  expect(counts([parallel('any'), call('note', 'c')].join('\n'))).toEqual([0, 3, 0, 3])
})

it('takes the largest case of a switch, or none', () => {
  const two = `${call('note', 'a')}\n${call('note', 'b')}`
  const cases = `- id: w\n  switch:\n    - when: { '==': [{ var: inputs.user }, ada] }\n      steps:\n${indent(two, 8)}\n    - default: true\n      steps:\n${indent(call('suspend', ada), 8)}`
  expect(counts(cases)).toEqual([1, 2, 0, 2])
})

it('counts a sub-playbook at each call, with its own slots, and resolves its inputs', () => {
  const inner = `format: 1\nplaybook: inner\ninputs: { who: { type: string, required: true } }\nsteps:\n  - { id: out, skill: dir.suspend, with: { user: '{{ inputs.who }}' } }\n  - { id: end, stop: { outcome: completed } }\n`
  const world = withPlaybooks(lookup, new Map([['inner', { text: inner, file: 'inner.yaml' }]]))
  const run = (steps: string): Impact => {
    const text = `format: 1\nplaybook: test\nalert_type: test\n${inputs}\nsteps:\n${indent(steps, 2)}\n`
    return impactOf(compilePlaybook(text, 'test.yaml', world), world)
  }
  const again = (who: string): string => `- { id: again${ids++}, playbook: inner, with: { who: '${who}' } }`
  expect(run([again(ada), call('note', ada), again(ada)].join('\n'))).toMatchObject({
    high: 2,
    write: 1,
    targets: 1,
    skills: [
      { skill: 'dir.suspend', maxCalls: 2, connection: 'inner/dir' },
      { skill: 'dir.note', connection: 'dir' },
    ],
  })
  expect(run([again('a'), again('b')].join('\n'))).toMatchObject({ high: 2, targets: 2 })
  expect(run(loop(again('{{ item }}')))).toMatchObject({ high: 10, targets: 10 })
})

it('counts the default of an input of a sub-playbook, which may replace the value that it is given', () => {
  const inner = (name: string, input: string): [string, PlaybookSource] => [
    name,
    {
      text: `format: 1\nplaybook: ${name}\ninputs: { who: { type: string, ${input} } }\nsteps: [{ id: out, skill: dir.note, with: { user: '{{ inputs.who }}' } }]\n`,
      file: `${name}.yaml`,
    },
  ]
  const world = withPlaybooks(
    lookup,
    new Map([inner('one', 'default: a'), inner('two', 'default: b'), inner('lax', 'format: email, unfit: missing, default: c@c.example')]),
  )
  const targets = (...steps: readonly string[]): number => {
    const text = `format: 1\nplaybook: test\nalert_type: test\n${inputs}\nsteps:\n${indent(steps.join('\n'), 2)}\n`
    return impactOf(compilePlaybook(text, 'test.yaml', world), world).targets
  }
  const run = (name: string, who: string): string => `- { id: run${ids++}, playbook: ${name}, with: { who: ${who} } }`
  // A missing user is a in the first, and b in the second.
  expect(targets(run('one', `'${ada}'`), run('two', `'${ada}'`))).toBe(2)
  expect(targets(run('lax', `'${ada}'`), call('note', ada))).toBe(2)
  expect(targets(run('one', "''"), run('two', "''"))).toBe(2)
  expect(targets(run('one', `'${ada}'`), run('one', `'${ada}'`))).toBe(1)
  expect(targets(run('one', 'x'), run('two', 'x'), call('note', 'x'))).toBe(1)
})

it('lets an iteration that stops be the last, unless the loop has concurrency', () => {
  const stopping = branch(`${call('note', 'a')}\n${call('note', 'b')}\n${stop()}`, call('note', 'c'))
  expect(counts(loop(stopping))[1]).toBe(11)
  expect(counts(loop(stopping, 'inputs.list', '  concurrency: 4\n'))[1]).toBe(20)
})

it('counts a target once, however many skills act on it and however it is written', () => {
  expect(counts([call('suspend', ada), call('note', '{{inputs.user}}'), call('note', ada)].join('\n'))).toEqual([1, 2, 0, 1])
  expect(counts([call('note', 'ada'), call('suspend', 'ada')].join('\n'))[3]).toBe(1)
  expect(counts([call('note', '{{ inputs.user | upcase }}'), call('note', '{{ inputs.user | upcase }}'), call('note', ada)].join('\n'))[3]).toBe(2)
  expect(counts([call('pair', ada, ''), call('pair', ada, '')].join('\n'))[3]).toBe(1)
})

it('counts no target for a skill that declares none, or whose input is missing', () => {
  expect(counts('- { id: p, skill: dir.post }')).toEqual([0, 1, 0, 0])
  expect(counts('- { id: p, skill: dir.note }')).toEqual([0, 1, 0, 0])
})

it('counts the default of a skill, which replaces a value that is missing', () => {
  expect(counts([call('usual', ada), call('note', ada)].join('\n'))[3]).toBe(2)
  expect(counts([call('usual', ada), call('usual', ada)].join('\n'))[3]).toBe(1)
  expect(counts(['- { id: u, skill: dir.usual }', call('note', 'root'), call('usual', 'root')].join('\n'))[3]).toBe(1)
})

it('multiplies a target by a loop only if it changes with the item', () => {
  expect(counts(loop(call('note', ada)))).toEqual([0, 10, 0, 1])
  expect(counts(loop(`${call('note', '{{ item.user }}')}\n${call('suspend', '{{ item.user }}')}`))).toEqual([10, 10, 0, 10])
  expect(counts(loop(loop(call('note', '{{ inner }}'), 'inputs.list', '  as: inner\n')))[3]).toBe(10)
})

it('knows that a step in a loop has another output in each iteration', () => {
  const read = `- { id: found, skill: dir.look }\n${call('note', '{{ steps.found.output.user }}')}`
  expect(counts(loop(read))).toEqual([0, 10, 10, 10])
  expect(counts(`${read}\n${call('suspend', '{{ steps.found.output.user }}')}`)[3]).toBe(1)
})

it('knows that two loops over one list have the same items', () => {
  expect(counts([loop(call('note', '{{ item }}')), loop(call('suspend', '{{ item }}'))].join('\n'))[3]).toBe(10)
  expect(counts([loop(call('note', '{{ item.a }}')), loop(call('suspend', '{{ item.b }}'))].join('\n'))[3]).toBe(20)
})

it('lets each iteration take one way', () => {
  expect(counts(loop(branch(call('note', '{{ item.a }}'), call('note', '{{ item.b }}'))))).toEqual([0, 10, 0, 10])
  // Both may happen: the fixed target of one branch, and the item targets of the other.
  expect(counts(loop(branch(call('note', ada), call('note', '{{ item.b }}'))))[3]).toBe(11)
})

it('gives a variable one value only if it is set once', () => {
  const use = [call('note', '{{ vars.who }}'), call('suspend', '{{ vars.who }}')].join('\n')
  const set = (id: string): string => `- { id: ${id}, set: { who: '{{ inputs.user }}' } }`
  expect(counts([set('a'), use].join('\n'))[3]).toBe(1)
  expect(counts([set('a'), use, set('b')].join('\n'))[3]).toBe(2)
  expect(counts(loop([set('a'), use].join('\n')))[3]).toBe(20)
  expect(counts([call('note', '{{ vars.who | default: 1 }}'), set('a'), call('note', '{{ vars.who | default: 1 }}')].join('\n'))[3]).toBe(2)
})

it('does not fail when counts exceed what numbers can hold', () => {
  const deep = (depth: number): string =>
    depth === 0
      ? call('note', '{{ i1 }}')
      : `- id: l${ids++}\n  foreach: '{{ inputs.list }}'\n  as: i${depth}\n  max_items: 10000\n  steps:\n${indent(deep(depth - 1))}`
  expect(counts(deep(5))).toEqual([0, Number.MAX_SAFE_INTEGER, 0, 10_000])
})

it('stays fast and overestimates if there are many ways', () => {
  const many = Array.from({ length: 40 }, (_, index) => branch(call('note', `a${index}`), call('note', `b${index}`))).join('\n')
  const [, write, , targets] = counts(many)
  expect(write).toBe(40)
  expect(targets).toBeGreaterThanOrEqual(40)
  expect(targets).toBeLessThanOrEqual(80)
})
