import type { FaultCode } from '../../../yaml/index.ts'
import type { FindingEntry } from '../../findings/index.ts'

/** Codes about the file itself: YAML, keys, values, inputs. */
export const document = {
  yaml_invalid: {
    severity: 'error',
    title: 'The file is not valid YAML',
    why: 'A playbook is one YAML 1.2 document. It has no duplicate keys, no merge keys (`<<`), no second document, and no tabs for indentation. Lint reports nothing else until the file can be read.',
    wrong: 'description: Twice\ndescription: Twice',
    right: 'description: Once',
  },
  playbook_too_large: {
    severity: 'error',
    title: 'The playbook is too large',
    why: 'The cost of reading and checking a playbook has limits, so that one tenant cannot hold up the others (docs/reference/limits.md). Split a large playbook into sub-playbooks. Keep long lists in a script, or in the system that owns them.',
    wrong: `- id: repeat
  set:
    ten: &ten [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    hundred: &hundred [*ten, *ten, *ten, *ten, *ten, *ten, *ten, *ten, *ten, *ten]
    thousand: &thousand [*hundred, *hundred, *hundred, *hundred, *hundred, *hundred, *hundred, *hundred, *hundred, *hundred]
    all: [*thousand, *thousand, *thousand, *thousand, *thousand, *thousand, *thousand, *thousand, *thousand, *thousand]`,
    right: '- id: repeat\n  set:\n    ten: &ten [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n    all: [*ten, *ten]',
  },
  key_unknown: {
    severity: 'error',
    title: 'Unknown key',
    why: 'Nothing would read the key, and nobody would notice: a misspelt `timeout` sets no time limit.',
    wrong: 'limits: { tme: 10m }',
    right: 'limits: { time: 10m }',
  },
  key_missing: {
    severity: 'error',
    title: 'A required key is missing',
    why: 'There is no safe default for this key.',
    wrong: '- id: halt\n  stop: { reason: Nothing to do }',
    right: '- id: halt\n  stop: { outcome: completed, reason: Nothing to do }',
  },
  name_invalid: {
    severity: 'error',
    title: 'Invalid name',
    why: 'Templates use the name: `vars.<name>`, `inputs.<name>`. A name has at most 64 of a-z, A-Z, 0-9 and `_`, and does not begin with a digit.',
    wrong: '- id: facts\n  set: { risk-score: 10 }',
    right: '- id: facts\n  set: { risk_score: 10 }',
  },
  value_invalid: {
    severity: 'error',
    title: 'Invalid value',
    why: 'The value has the wrong type or form for its key, or is not one of the words that the key accepts.',
    wrong: 'limits: { time: soon }',
    right: 'limits: { time: 10m }',
  },
  input_shape_invalid: {
    severity: 'error',
    title: 'The declaration of an input contradicts its type',
    why: '`format` describes strings, and `items` describes the items of lists. They mean nothing for other types.',
    wrong: 'inputs: { user: { type: integer, format: email, from: [content.user] } }',
    right: 'inputs: { user: { type: string, format: email, from: [content.user] } }',
  },
  input_default_invalid: {
    severity: 'error',
    title: 'The default of an input does not fit its declaration',
    why: 'The default is used as it is, so it must follow the same rules as a value from the alert.',
    wrong: 'inputs: { days: { type: integer, default: seven } }',
    right: 'inputs: { days: { type: integer, default: 7 } }',
  },
  input_required_invalid: {
    severity: 'error',
    title: 'This input cannot be required',
    why: 'An input with a default is never missing. An input without `from` is never found, so every run would fail.',
    wrong: 'inputs: { user: { type: string, required: true } }',
    right: 'inputs: { user: { type: string, required: true, from: [content.user] } }',
  },
} as const satisfies Record<FaultCode, FindingEntry> & Record<string, FindingEntry>
