import type { FaultCode } from '../../../yaml/index.ts'
import type { FindingEntry } from '../../findings/index.ts'

/** The file itself: YAML, keys, values, inputs. */
export const document = {
  yaml_invalid: {
    severity: 'error',
    title: 'The file is not YAML as it is read here',
    why: 'A playbook is one document of YAML 1.2: no duplicate key, no merge key (`<<`), no second document, no tabs for indentation. What cannot be read cannot be looked at further, so this comes alone.',
    wrong: 'description: Twice\ndescription: Twice',
    right: 'description: Once',
  },
  playbook_too_large: {
    severity: 'error',
    title: 'The playbook is larger than it may be',
    why: 'Whatever a playbook costs to read and to check has a bound, so that one tenant cannot hold up the others (docs/reference/limits.md). Split a large playbook into sub-playbooks, and keep long lists in a script or in the system that owns them.',
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
    title: 'A key that is not known stands here',
    why: 'A key that nothing reads would be a mistake that nobody notices: a misspelt `timeout` is no time limit.',
    wrong: 'limits: { tme: 10m }',
    right: 'limits: { time: 10m }',
  },
  key_missing: {
    severity: 'error',
    title: 'A key that is needed is missing',
    why: 'What the key would say has no default that could be right.',
    wrong: '- id: halt\n  stop: { reason: Nothing to do }',
    right: '- id: halt\n  stop: { outcome: completed, reason: Nothing to do }',
  },
  name_invalid: {
    severity: 'error',
    title: 'A name has characters that it may not have',
    why: 'Templates name it: `vars.<name>`, `inputs.<name>`. So it is letters, digits and `_`, not beginning with a digit, at most 64.',
    wrong: '- id: facts\n  set: { risk-score: 10 }',
    right: '- id: facts\n  set: { risk_score: 10 }',
  },
  value_invalid: {
    severity: 'error',
    title: 'A value is not what is allowed here',
    why: 'It has another type or form than the key takes, or is not one of its words.',
    wrong: 'limits: { time: soon }',
    right: 'limits: { time: 10m }',
  },
  input_shape_invalid: {
    severity: 'error',
    title: 'A declaration of an input contradicts its type',
    why: '`format` says what a string looks like, and `items` what the items of a list are; of another type they say nothing.',
    wrong: 'inputs: { user: { type: integer, format: email, from: [content.user] } }',
    right: 'inputs: { user: { type: string, format: email, from: [content.user] } }',
  },
  input_default_invalid: {
    severity: 'error',
    title: "An input's default does not fit its declaration",
    why: 'The default is taken as it stands, so it must be what the alert would have to give.',
    wrong: 'inputs: { days: { type: integer, default: seven } }',
    right: 'inputs: { days: { type: integer, default: 7 } }',
  },
  input_required_invalid: {
    severity: 'error',
    title: 'An input cannot be required in this way',
    why: 'An input with a default is never missing, and one without `from` can be found nowhere: then every run would fail.',
    wrong: 'inputs: { user: { type: string, required: true } }',
    right: 'inputs: { user: { type: string, required: true, from: [content.user] } }',
  },
} as const satisfies Record<FaultCode, FindingEntry> & Record<string, FindingEntry>
