import { describe, expect, it } from 'vitest'
import { parseYaml } from '../../../yaml/index.ts'
import { examinePlaybook } from '../compile.ts'
import { lookup, playbook } from '../testing.ts'

/** Returns the first message, and the text of its fix. */
function told(text: string): readonly [string, string | undefined] {
  const [first] = examinePlaybook(parseYaml(text, 'test.yaml'), lookup).findings
  return [first?.message ?? '', first?.fix?.edits[0]?.text]
}

describe('a value of the wrong form gets advice on how to write it', () => {
  it.each([
    ['case: Hello', '{ note: Hello }'],
    ['case: "Hello, {{ inputs.user }}"', '{ note: "Hello, {{ inputs.user }}" }'],
    ["case: It's done, mostly", "{ note: 'It''s done, mostly' }"],
    ['stop: completed', '{ outcome: completed }'],
    ['stop: success', '{ outcome: completed }'],
    ['wait: 10m', '{ for: 10m }'],
    ['wait: 2026-01-01T00:00:00Z', '{ until: 2026-01-01T00:00:00Z }'],
    ['approve: Suspend the user?', '{ title: Suspend the user? }'],
    ['parallel: { join: 2, branches: { a: [{ id: b, case: { note: x } }], c: [{ id: d, case: { note: x } }] } }', '{ at_least: 2 }'],
    ['skill: mfa.get_user\n    with: { username: x }\n    retry: { attempts: 2, on: network }', '[network]'],
  ])('%s, with a fix', (written, meant) => {
    const [message, fix] = told(playbook(`  - id: s\n    ${written}\n`, 'inputs: { user: { type: string, default: x } }\n'))
    expect(message).toContain(`; write \`${meant}\``)
    expect(fix).toBe(meant)
  })

  it.each([
    ['stop: done', '{ outcome: completed }` or `{ outcome: failed }'],
    ['wait: 10', '`{ for: 10s }` is seconds'],
    ['skill: mfa.get_user\n    retry: 3', '`{ attempts: 3 }` tries three times in total'],
    ['skill: mfa.get_user\n    with: ada', '; write `<name>: <value>`'],
    ['skill: mfa.get_user\n    with: [{ username: ada }]', 'without `- ` before it'],
    ['parallel: [{ id: b, case: { note: x } }]', 'each branch has a name'],
    ['parallel: { branches: { a: { steps: [{ id: b, case: { note: x } }] } } }', 'without `steps`'],
    ['switch: { when: true, steps: [] }', '`- when: <condition>`'],
    ['switch: [{ default: [{ id: b, case: { note: x } }] }]', 'in `steps`'],
    ['script: { source: x }', 'after `|`'],
    ['script: risk.ts', 'not the name of its file'],
    ['if: true\n    then: { id: b, case: { note: x } }', 'write `- ` before the step'],
    ['if: true\n    steps: [{ id: b, case: { note: x } }]', 'are in `then`'],
    ['foreach: []\n    skill: mfa.get_user', 'the steps of a loop are in its `steps`'],
    ['note: x', '`case: { note: <text> }`'],
    ['outcome: completed', '`stop: { outcome: completed'],
    ['approve: { title: x, timeout: 1h }', 'did you mean `expires`'],
    ['switch: [{ if: true, steps: [] }]', 'did you mean `when`'],
    ['switch: [{ else: [] }]', '`default: true`'],
  ])('%s, in words', (written, part) => {
    const { findings } = examinePlaybook(parseYaml(playbook(`  - id: s\n    ${written}\n`), 'test.yaml'), lookup)
    const found = findings.find(({ message }) => message.includes(part))
    expect(findings.map(({ message }) => message).join('\n')).toContain(part)
    expect(found?.fix).toBeUndefined()
  })

  it.each([
    ['inputs: { user: string }', '{ type: string }'],
    ['inputs: { stop: str }', '{ type: string }'],
    ['connections: { wait: mfa }', '{ integration: mfa }'],
    ['case: Stolen credential', '{ title: Stolen credential }'],
  ])('%s above the steps, with a fix', (above, meant) => {
    const [message, fix] = told(playbook('  - { id: s, case: { note: x } }\n', `${above}\n`))
    expect(message).toContain(`; write \`${meant}\``)
    expect(fix).toBe(meant)
  })

  it.each(['inputs: { retry: 3 }', 'inputs: { wait: 5 }', 'inputs: { wait: { duration: 1 } }', 'inputs: { user: somebody }'])(
    '%s is not guessed at',
    (above) => {
      const [message, fix] = told(playbook('  - { id: s, case: { note: x } }\n', `${above}\n`))
      expect(message).not.toMatch(/write|attempts|did you mean|seconds/)
      expect(fix).toBeUndefined()
    },
  )
})

it.each([
  ['loop.index', 'the item of the loop is `device`, and there is no counter'],
  ['forloop.index', '`forloop.index` exists only between {% for %} and {% endfor %}'],
])('%s in a loop gets advice on what exists there', (path, part) => {
  const loop = `  - id: l\n    foreach: [1, 2]\n    as: device\n    max_items: 5\n    steps: [{ id: s, case: { note: 'x {{ ${path} }}' } }]\n`
  expect(told(playbook(loop))[0]).toContain(part)
})

it('a counter outside a loop gets no advice about an item', () => {
  const [message] = told(playbook("  - { id: s, case: { note: 'x {{ loop.index }}' } }\n"))
  expect(message).toContain('there is no `loop` here; `forloop.index`')
})

it.each(['constructor', 'isPrototypeOf', 'hasOwnProperty', 'valueOf'])('%s is not taken for another word, wherever a word is needed', (name) => {
  const steps = [
    `stop: ${name}`,
    `stop: { outcome: ${name} }`,
    `case: { severity: ${name}, disposition: ${name} }`,
    `wait: { for: 5${name} }`,
    `skill: mfa.get_user\n    on_error: ${name}`,
    `${name}: 1`,
  ]
  for (const step of steps) {
    const { findings } = examinePlaybook(
      parseYaml(playbook(`  - id: s\n    ${step}\n`, `inputs: { i: { type: ${name}, required: ${name} } }\n`), 'test.yaml'),
      lookup,
    )
    expect(findings.length).toBeGreaterThan(1)
    for (const { message, fix } of findings) {
      expect(message).not.toMatch(/native code|undefined/)
      expect(fix).toBeUndefined()
    }
  }
})
