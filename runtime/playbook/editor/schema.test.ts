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
  playbooks: ['contain'],
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
  ['skill: idp.suspend, with: { user: a }, tiemout: 1s', 'must NOT have additional properties'],
  ["if: { '=': [1, 1] }, stop: { outcome: completed }", 'must NOT have additional properties'],
  ['if: { and: [{ lenght: [] }] }, stop: { outcome: completed }', 'must NOT have additional properties'],
])('refuses %s', (step, message) => {
  expect(faults(withStep(step)).join('\n')).toContain(message)
})

it('says of a skill what it does and what to beware of', () => {
  expect(JSON.stringify(editorSchema(world))).toContain('high: Stops.\\n\\nBeware.')
})

it('is a good schema of a world with nothing in it', () => {
  const empty = check(editorSchema({ integrations: [], playbooks: [], steps: [], slots: [] }))
  expect(empty(withStep('skill: any.thing, with: { a: 1 }, connection: c'))).toEqual([])
  expect(empty(withStep('skill: nothing'))).not.toEqual([])
})

it('finds the names in playbooks, whatever is wrong with them', () => {
  const documents: Json[] = [
    { playbook: 'sub', connections: { b: {}, a: {} }, steps: [{ id: 'two', then: [{ id: 'one' }] }, 5, { id: 7 }] },
    { playbook: 'main', alert_type: 't', connections: 'x', steps: null },
    null,
    'text',
  ]
  expect(namesIn(documents)).toEqual({ playbooks: ['sub'], steps: ['one', 'two'], slots: ['a', 'b'] })
})
