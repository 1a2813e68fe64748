import { type Bomb, lintBomb, runBomb } from '../bomb.ts'

const lines = (count: number, line: (at: number) => string): string => Array.from({ length: count }, (_, at) => line(at)).join('')
const head = 'format: 1\nplaybook: it\nalert_type: it\n'

/** Makes a bomb that has a text linted. Lint may report its faults, or refuse it as too large. */
function text(name: string, body: () => string): Bomb {
  return lintBomb(`structure: ${name}`, body, 'answered', 'refused body_invalid', 'refused check_timeout', 'refused overloaded')
}

const nested = (depth: number): string => {
  const open = (at: number): string => {
    const indent = '  '.repeat(at * 2 + 1)
    return `${indent}- id: s${at}\n${indent}  if: { var: run.now }\n${indent}  then:\n`
  }
  return `${lines(depth, open)}${'  '.repeat(depth * 2 + 1)}- { id: last, set: { x: 1 } }\n`
}

/** YAML and playbooks with very many parts. */
export const structures: readonly Bomb[] = [
  text('18,000 keys', () => lines(18_000, (at) => `k${at}: 1\n`)),
  text('anchors', () => lines(15_000, (at) => `k${at}: &a${at} x\n`)),
  text('comments', () => '# x\n'.repeat(100_000)),
  text('braces', () => `a: ${'{a: '.repeat(20_000)}`),
  text('lists in lists', () => '- '.repeat(100_000)),
  text('indents', () => lines(600, (at) => `${' '.repeat(at)}a:\n`)),
  text('a text of many lines', () => `a: |\n${'  x\n'.repeat(80_000)}`),
  text('keys of a megabyte', () => `? ${'k'.repeat(400_000)}\n: 1\n`),
  text('faults', () => lines(3_000, (at) => `  - { idd: s${at} }\n`).replace(/^/, `${head}steps:\n`)),
  text('900 blocks of templates', () => `${head}steps:\n  - id: a\n    set: { x: "${'{% if true %}'.repeat(900)}" }\n`),
  text('3,000 steps', () => `${head}steps:\n${lines(3_000, (at) => `  - { id: s${at}, set: { v${at}: 1 } }\n`)}`),
  text(
    'steps that name each other',
    () => `${head}steps:\n${lines(2_500, (at) => `  - { id: s${at}, set: { x: '{{ vars.x }}{{ steps.s${Math.max(0, at - 1)}.output.x }}' } }\n`)}`,
  ),
  text('nested steps', () => `${head}steps:\n${nested(90)}`),
  text(
    'many switch cases',
    () =>
      `${head}steps:\n  - id: a\n    switch:\n${lines(1_500, (at) => `      - { when: { '==': [{ var: alert.alert_name }, n${at}] }, steps: [{ id: s${at}, set: { v${at}: 1 } }] }\n`)}`,
  ),
  text(
    'parallel branches',
    () => `${head}steps:\n  - id: a\n    parallel:\n      branches:\n${lines(900, (at) => `        b${at}: [{ id: s${at}, set: { v${at}: 1 } }]\n`)}`,
  ),
  text(
    'conditions of many parts',
    () =>
      `${head}steps:\n${lines(40, (at) => `  - id: s${at}\n    if: { or: [${lines(400, (part) => `{ '==': [{ var: alert.alert_name }, n${part}] }, `)}false] }\n    set: { x: 1 }\n`)}`,
  ),
  text(
    'inputs',
    () =>
      `${head}inputs:\n${lines(900, (at) => `  i${at}: { type: string, from: [{ pattern: '(a|b|ab){50}(?P<value>x)' }] }\n`)}steps: [{ id: a, set: { x: 1 } }]\n`,
  ),
]

const items = 'inputs: { list: { type: array, from: [content.list], required: true } }\n'
const content = { list: Array.from({ length: 9_000 }, (_, at) => at) }

function running(name: string, playbook: string, ...comes: readonly string[]): Bomb {
  return runBomb(`run: ${name}`, () => ({ playbook, content }), ...comes)
}
const loop = (inner: string, more = ''): string =>
  `  - id: each\n    foreach: '{{ inputs.list }}'\n    max_items: 9000\n${more}    steps:\n      - ${inner}\n`
const heavy = "if: { all: [{ var: inputs.list }, { '>=': [{ var: '' }, 0] }] }"

/** Playbooks that do a lot of work in one run. */
export const runs: readonly Bomb[] = [
  running(
    'a heavy condition in a loop',
    `limits: { steps: 100000 }\n${items}steps:\n${loop(`{ id: a, ${heavy}, set: { x: 1 } }`)}`,
    'failed run_evaluation_exceeded',
  ),
  running(
    'a heavy template in a loop',
    `limits: { steps: 100000 }\n${items}steps:\n${loop("{ id: a, set: { x: '{{ inputs.list | json | size }}' } }")}`,
    'failed run_evaluation_exceeded',
  ),
  running(
    '9,000 iterations, 20 at a time',
    `limits: { steps: 100000 }\n${items}steps:\n${loop("{ id: a, if: { '>': [{ var: item }, 99999] }, case: { note: x } }", '    concurrency: 20\n')}`,
    'completed',
  ),
  running(
    'a variable that doubles',
    `${items}steps:\n  - { id: s, set: { x: xxxxxxxx } }\n${loop("{ id: a, set: { x: '{{ vars.x }}{{ vars.x }}' } }")}`,
    'failed output_too_large',
  ),
  running(
    'a variable that holds itself',
    `${items}steps:\n  - { id: s, set: { x: 1 } }\n${loop("{ id: a, set: { x: { l: '{{ vars.x }}', r: '{{ vars.x }}' } } }")}`,
    'failed output_too_large',
  ),
  running(
    'lists in each output',
    `limits: { steps: 100000 }\n${items}steps:\n${loop("{ id: a, set: { x: '{{ inputs.list | reverse }}' } }")}`,
    'failed run_too_large',
    'failed run_evaluation_exceeded',
  ),
  running(
    'notes',
    `limits: { steps: 100000 }\n${items}steps:\n${loop("{ id: a, case: { note: '{{ item }}' } }").replace('list }}', 'list | slice: 0, 1500 }}')}`,
    'completed',
  ),
]

const script = (name: string, timeout: string, code: string, ...comes: readonly string[]): Bomb =>
  runBomb(
    `script: ${name}`,
    () => ({ playbook: `steps:\n  - id: it\n    timeout: ${timeout}\n    script: ${JSON.stringify(`export default () => { ${code} }`)}\n` }),
    ...comes,
  )

/** Makes a bomb that ends only at its time limit. */
const endless = (name: string, code: string, ...comes: readonly string[]): Bomb => script(name, '5s', code, 'failed script_timeout', ...comes)

/** Makes a bomb that another limit ends first. Its time limit is so long that a busy machine does not matter. */
const ending = (name: string, code: string, ...comes: readonly string[]): Bomb => script(name, '1m', code, ...comes)

/** Scripts that use as much time or memory as they can. */
export const scripts: readonly Bomb[] = [
  endless('an endless loop', 'for (;;) {}'),
  endless('a promise that never settles', 'return new Promise(() => {})', 'failed script_failed'),
  ending('memory', 'const a = []; for (;;) a.push(new Array(10000).fill(1))', 'failed script_memory'),
  ending('a large buffer', 'return new ArrayBuffer(2 ** 31).byteLength', 'failed script_memory', 'failed script_failed'),
  ending('a large answer', "return 'x'.repeat(15000000)", 'failed output_too_large'),
  ending('an answer of many values', 'return Array.from({ length: 3000000 }, () => 0)', 'failed output_too_large'),
  ending(
    'an answer of many levels',
    'let a = []; for (let i = 0; i < 100000; i++) a = [a]; return a',
    'failed script_failed',
    'failed output_too_large',
  ),
  endless('a pattern that takes years', "return /^(a+)+$/.test('a'.repeat(60) + '!')"),
  ending('a large error', "throw new Error('x'.repeat(10000000))", 'failed script_failed', 'failed script_memory'),
  ending('endless recursion', 'const f = () => f() + 1; return f()', 'failed script_failed'),
]
