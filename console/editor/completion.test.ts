import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import type { PlaybookLanguageView } from '../../runtime/api/index.ts'
import { completionOf, type YamlLanguage } from './completion.ts'

const step = {
  type: 'object',
  if: { type: 'object', required: ['skill'] },
  then: {
    properties: { id: {}, skill: { enum: ['mfa.suspend', 'mfa.get'] }, with: { type: 'object' } },
    allOf: [
      {
        if: { properties: { skill: { const: 'mfa.suspend' } }, required: ['skill'] },
        then: { properties: { with: { properties: { username: { description: 'Who' }, quiet: { type: 'boolean' } } } } },
      },
    ],
  },
  else: { properties: { id: {}, skill: { description: 'Calls a skill' }, wait: {} } },
}
const language: PlaybookLanguageView = {
  schema: {
    properties: { playbook: { description: 'Its name' }, inputs: {}, steps: { type: 'array', items: { $ref: '#/$defs/step' } } },
    $defs: { step },
  },
  filters: [{ name: 'upcase', text: 'in capitals', example: '{{ "a" | upcase }}' }],
  operators: [],
}

/** What is offered at the `|` in a text. */
function offered(text: string, of: YamlLanguage = language): readonly string[] {
  const pos = text.indexOf('‸')
  const state = EditorState.create({ doc: text.replace('‸', '') })
  const found = completionOf(new CompletionContext(state, pos, true), of)
  return found?.options.map(({ label }) => label) ?? []
}

test.each([
  ['pl‸\n', ['playbook', 'inputs', 'steps']],
  ['playbook: one\n‸\n', ['inputs', 'steps']],
  ['steps:\n  - ‸\n', ['id', 'skill', 'wait']],
  ['steps:\n  - id: a\n    sk‸\n', ['skill', 'wait']],
  ['steps:\n  - id: a\n    skill: ‸\n', ['mfa.suspend', 'mfa.get']],
  ['steps:\n  - id: a\n    skill: mfa.suspend\n    with:\n      ‸\n', ['username', 'quiet']],
  ['steps:\n  - id: a\n    skill: mfa.suspend\n    with: { ‸ }\n', ['username', 'quiet']],
  ['steps:\n  - id: a\n    skill: mfa.suspend\n    with: { quiet: ‸ }\n', ['true', 'false']],
  ['steps:\n  - id: a\n    skill: mfa.get\n    with:\n      ‸\n', []],
])('offers what fits: %j', (text, names) => {
  expect(offered(text)).toEqual(names)
})

test('offers filters and names inside a template', () => {
  const text = (inside: string): string => `inputs:\n  user: { type: string }\nsteps:\n  - id: look\n    case: { note: '{{ ${inside} }}' }\n`
  expect(offered(text('inputs.user | ‸'))).toEqual(['upcase'])
  expect(offered(text('‸'))).toEqual(expect.arrayContaining(['inputs.user', 'steps.look.output', 'alert.alert_id']))
})

test('a language without filters has no templates', () => {
  expect(offered("playbook: '{{ ‸ }}'\n", { schema: language.schema })).toEqual([])
})
