import type { ErrorEntry } from './entry.ts'

/** Files that engineers write. */
export const files = {
  file_unreadable: {
    status: 400,
    title: 'A file cannot be read',
    cause: 'The file is absent, or may not be read.',
    remedy: 'Check the path and its permissions.',
  },
  file_unwritable: {
    status: 400,
    title: 'A file cannot be written',
    cause: 'The folder is absent, or may not be written to.',
    remedy: 'Check the path and its permissions.',
  },
  yaml_invalid: {
    status: 400,
    title: 'The file is not the YAML that Tocsin reads',
    cause: 'A syntax error, a duplicate key, a merge key, or more than one document; the detail names line and column.',
    remedy: 'Correct the named place.',
  },
  yaml_too_large: {
    status: 400,
    title: 'The document is larger than it may be',
    cause: 'It has more bytes, lines, keys, items, levels or repetitions than any document needs; the detail says which, and where that was noticed.',
    remedy: 'Make it smaller: split a playbook into sub-playbooks, and keep long lists out of it. docs/reference/limits.md has all limits.',
  },
  manifest_invalid: {
    status: 400,
    title: 'The manifest does not fit',
    cause: 'The manifest breaks its schema or names something that is not there; `errors` names each place.',
    remedy: 'Correct the named places; schemas/manifest.schema.json lets an editor help.',
  },
  skill_invalid: {
    status: 400,
    title: 'The skill does not fit',
    cause: 'The skill file breaks its schema or its templates name something that is not there; `errors` names each place.',
    remedy: 'Correct the named places; schemas/skill.schema.json lets an editor help.',
  },
  expression_invalid: {
    status: 400,
    title: 'A template or condition cannot be read',
    cause: 'A `{{ … }}` has a syntax error or an unknown filter, or a json-logic rule an unknown operator; the detail says which.',
    remedy: 'Correct the named place.',
  },
  playbook_invalid: {
    status: 400,
    title: 'The playbook does not fit',
    cause: 'The playbook breaks its schema, or names a step, skill or slot that is not there; `errors` names each place.',
    remedy: 'Correct the named places; schemas/playbook.schema.json lets an editor help.',
  },
  policy_invalid: {
    status: 400,
    title: 'The policy does not fit',
    cause:
      'The policy breaks its schema, names a skill that no loaded plugin has, or asks for more approvers than it names; `errors` names each place.',
    remedy: 'Correct the named places; schemas/policy.schema.json lets an editor help.',
  },
  playbook_test_invalid: {
    status: 400,
    title: 'The playbook test does not fit',
    cause:
      'The file of tests breaks its schema, names a step or skill that is not there, or gives an answer that the skill cannot give; `errors` names each place.',
    remedy: 'Correct the named places; schemas/playbook-test.schema.json lets an editor help.',
  },
} as const satisfies Record<string, ErrorEntry>
