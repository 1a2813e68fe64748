import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { playbookSchema, stepKinds } from './index.ts'

it('is a JSON Schema 2020-12 that any validator can read', () => {
  const ajv = new Ajv2020({ strict: false })
  expect(ajv.validateSchema(JSON.parse(JSON.stringify(playbookSchema)))).toBe(true)
  const check = ajv.compile(JSON.parse(JSON.stringify(playbookSchema)))
  const playbook = { format: 1, playbook: 'a', alert_type: 'b', steps: [{ id: 'c', stop: { outcome: 'completed' } }] }
  expect(check(playbook)).toBe(true)
  expect(check({ ...playbook, steps: [{ id: 'c', stop: { outcome: 'completed' }, more: 1 }] })).toBe(false)
  expect(check({ ...playbook, steps: [{ id: 'c' }] })).toBe(false)
})

/** Yields every object schema that names properties. */
function* closedObjects(schema: unknown, path: string): Generator<[string, Record<string, unknown>]> {
  if (typeof schema !== 'object' || schema === null) return
  const own = schema as Record<string, unknown>
  if (own['type'] === 'object' && 'properties' in own) yield [path, own]
  for (const [key, value] of Object.entries(own)) yield* closedObjects(value, `${path}/${key}`)
}

it('refuses unknown keys everywhere', () => {
  const open = [...closedObjects(playbookSchema, '#')].filter(([, own]) => own['additionalProperties'] !== false).map(([path]) => path)
  // The kind of a step decides which keys it has.
  expect(open).toEqual(['#/$defs/step'])
})

it('describes every key, for editors', () => {
  const bare = [...closedObjects(playbookSchema, '#')]
    .filter(([path]) => path !== '#/$defs/step')
    .flatMap(([path, own]) =>
      Object.entries(own['properties'] as Record<string, { description?: string }>)
        .filter(([, value]) => !value.description)
        .map(([key]) => `${path}/${key}`),
    )
  expect(bare).toEqual([])
})

it('gives every kind of step its own key', () => {
  for (const { key, schema } of stepKinds) {
    expect(schema.required).toContain(key)
    expect(stepKinds.filter((other) => key in other.schema.properties).map((other) => other.key)).toEqual([key])
  }
})

it.each([
  ['a limit of the run', { limits: { time: '0s' } }],
  ['a limit of outputs', { limits: { output: '0KiB' } }],
  ['a timeout of a call', { steps: [{ id: 'c', skill: 'a.b', timeout: '0ms' }] }],
  ['a timeout of a script', { steps: [{ id: 'c', script: 'export default () => 1', timeout: '00s' }] }],
  ['the time to approve', { steps: [{ id: 'c', approve: { title: 'a', expires: '0h' } }] }],
])('refuses 0 as %s, and takes 1', (_, part) => {
  const check = new Ajv2020({ strict: false }).compile(JSON.parse(JSON.stringify(playbookSchema)))
  const playbook = { format: 1, playbook: 'a', alert_type: 'b', steps: [{ id: 'c', stop: { outcome: 'completed' } }], ...part }
  expect(check(playbook)).toBe(false)
  expect(check(JSON.parse(JSON.stringify(playbook).replace(/"0+(ms|s|h|KiB)"/, '"1$1"')))).toBe(true)
})

it.each(['two\nlines', 'a line\u2028separator', 'a paragraph\u2029separator', '\u200b', ''])(
  'refuses %j as a type of alerts, as the API does',
  (type) => {
    const check = new Ajv2020({ strict: false }).compile(JSON.parse(JSON.stringify(playbookSchema)))
    const playbook = { format: 1, playbook: 'a', steps: [{ id: 'c', stop: { outcome: 'completed' } }] }
    expect(check({ ...playbook, alert_type: type })).toBe(false)
    expect(check({ ...playbook, alert_type: `${type}`.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').concat('x') })).toBe(true)
  },
)
