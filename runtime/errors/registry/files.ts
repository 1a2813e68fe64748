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
  check_timeout: {
    status: 422,
    title: 'The text takes too long to check',
    cause: 'Reading, linting, compiling or comparing the text took too long, so Tocsin stopped the check.',
    remedy: 'Make it simpler: fewer steps, smaller conditions and lists, no deep nesting. If the whole machine was busy, try again.',
  },
  check_memory: {
    status: 422,
    title: 'The text takes too much memory to check',
    cause: 'Reading, linting, compiling or comparing the text needed too much memory, so Tocsin stopped the check.',
    remedy: 'Make it simpler: use smaller conditions and lists, and do not repeat large parts.',
  },
  check_died: {
    status: 422,
    title: 'The check of the text crashed',
    cause: 'The process that read, linted, compiled or compared the text died twice for an unknown reason. The log has the last lines that it wrote.',
    remedy: 'Make the text simpler. If a simple text does this, it is a bug in Tocsin: report it with the text.',
  },
  playbooks_exceeded: {
    status: 409,
    title: 'There are too many playbooks',
    cause: 'An organization may have playbooks for at most 1,000 alert types and sub-playbook names. The shared playbooks have the same limit.',
    remedy: 'Withdraw playbooks that nobody needs (`tocsin playbook withdraw`).',
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
