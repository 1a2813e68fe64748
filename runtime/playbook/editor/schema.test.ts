import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, it } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { parseYaml } from '../../yaml/index.ts'
import { editorSchema } from './schema.ts'
import { type EditorSkill, type EditorWorld, namesIn } from './world.ts'

const suspend: EditorSkill = {
  impact: 'high',
  document: {
    title: 'Suspend',
    purpose: 'Stops.',
    warnings: ['Beware.'],
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['user'],
      properties: {
        user: { type: 'string', minLength: 1, description: 'Who.' },
        how: { enum: ['soft', 'hard'], default: 'soft' },
        reasons: { type: 'array', items: { type: 'string', maxLength: 3 } },
        rule: { type: 'object', required: ['days'], properties: { days: { type: 'integer' } }, additionalProperties: false },
        more: {},
      },
      if: { properties: { how: { const: 'hard' } } },
      then: { required: ['reasons'] },
    },
  },
}
const world: EditorWorld = {
  integrations: [{ id: 'idp', codes: ['network', 'user_unknown'], skills: new Map([['suspend', suspend]]) }],
  playbooks: new Map([['contain', { type: 'object', required: ['user'], properties: { user: { type: 'string' } }, additionalProperties: false }]]),
  steps: ['ask'],
  slots: ['main'],
}

function check(schema: object): (playbook: string) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  const validate = ajv.compile(schema)
  return (playbook) =>
    validate(parseYaml(playbook, 'a.yaml').value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
const faults = check(editorSchema(world))
const withStep = (step: string): string => `format: 1\nplaybook: a\nalert_type: b\nsteps:\n  - { id: x, ${step} }\n`

it.each([
  'skill: idp.suspend, with: { user: a, how: hard, reasons: [a, b], rule: { days: 1 }, more: [{ a: 1 }] }',
  "skill: idp.suspend, with: { user: '{{ inputs.user }}', how: '{{ inputs.how }}', reasons: '{{ inputs.reasons }}', rule: '{{ inputs.rule }}' }",
  "skill: idp.suspend, with: { user: a, reasons: ['{{ inputs.long_name }}'], rule: { days: '{{ inputs.days }}' } }",
  "skill: idp.suspend, with: { user: 'a{% if true %}b{% endif %}' }, connection: another, retry: { attempts: 2, on: [network, own_code] }",
  'skill: other.unknown, with: { anything: 1 }',
  'skill: other.unknown',
  "playbook: contain, with: { user: '{{ inputs.user }}' }",
  'playbook: another, with: { anything: 1 }',
  'switch: [{ when: true, steps: [{ id: y, set: { a: 1 } }] }, { default: true, steps: [{ id: z, set: { a: 2 } }] }]',
  'wait: { for: 1m }',
  "wait: { until: '{{ inputs.x }}' }",
  'wait: { poll: { skill: other.unknown }, every: 1m, until: true, at_most: 1h }',
  "if: { and: [{ '>': [{ length: { var: [inputs.a, []] } }, 1] }, true] }, stop: { outcome: completed }",
])('takes %s', (step) => {
  expect(faults(withStep(step))).toEqual([])
})

it.each([
  ['skill: idp.suspend', "must have required property 'with'"],
  ['skill: idp.suspend, with: {}', "must have required property 'user'"],
  ['skill: idp.suspend, with: { user: a, usr: b }', 'must NOT have additional properties'],
  ['skill: idp.suspend, with: { user: a, how: sideways }', 'must be equal to one of the allowed values'],
  ['skill: idp.suspend, with: { user: a, reasons: [1] }', 'must be string'],
  ['skill: idp.suspend, with: { user: a, rule: { days: soon } }', 'must be integer'],
  ['playbook: contain', "must have required property 'with'"],
  ['playbook: contain, with: { usr: b }', "must have required property 'user'"],
  ['playbook: contain, with: { user: a, usr: b }', 'must NOT have additional properties'],
  ['switch: [{ steps: [{ id: y, set: { a: 1 } }] }]', "must have required property 'when'"],
  ['switch: [{ when: true, default: true, steps: [{ id: y, set: { a: 1 } }] }]', 'must NOT have additional properties'],
  ['wait: {}', "must have required property 'for'"],
  ['wait: { for: 1m, every: 1m }', 'must NOT have additional properties'],
  ['skill: idp.suspend, with: { user: a }, tiemout: 1s', 'must NOT have additional properties'],
  ["if: { '=': [1, 1] }, stop: { outcome: completed }", 'must NOT have additional properties'],
  ['if: { and: [{ lenght: [] }] }, stop: { outcome: completed }', 'must NOT have additional properties'],
])('refuses %s', (step, message) => {
  expect(faults(withStep(step)).join('\n')).toContain(message)
})

it('describes what a skill does, and its pitfalls', () => {
  expect(JSON.stringify(editorSchema(world))).toContain('high: Stops.\\n\\nBeware.')
})

it('is a valid schema without any skills or names', () => {
  const empty = check(editorSchema({ integrations: [], playbooks: new Map(), steps: [], slots: [] }))
  expect(empty(withStep('skill: any.thing, with: { a: 1 }, connection: c'))).toEqual([])
  expect(empty(withStep('skill: nothing'))).not.toEqual([])
})

it('finds the names in playbooks that have errors', () => {
  const documents: Json[] = [
    {
      playbook: 'sub',
      inputs: {
        who: { type: 'string', format: 'email', required: true, from: ['content.a'] },
        why: { type: 'string', default: 'x' },
        odd: 1,
        half: { type: 'strin' },
      },
      connections: { b: {}, a: {} },
      steps: [{ id: 'two', then: [{ id: 'one' }] }, 5, { id: 7 }],
    },
    { playbook: 'no name/of one', steps: [] },
    { playbook: 'main', alert_type: 't', connections: 'x', steps: null },
    null,
    'text',
  ]
  const sub = {
    type: 'object',
    properties: { who: { type: 'string', format: 'email' }, why: { type: 'string', default: 'x' }, odd: {}, half: {} },
    additionalProperties: false,
    required: ['who'],
  }
  expect(namesIn(documents)).toEqual({ playbooks: new Map([['sub', sub]]), steps: ['one', 'two'], slots: ['a', 'b'] })
})
