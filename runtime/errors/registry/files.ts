import type { ErrorEntry } from './entry.ts'

/** Errors in files that engineers write. */
export const files = {
  file_unreadable: {
    status: 400,
    title: 'A file cannot be read',
    cause: 'The file does not exist, or Tocsin may not read it.',
    remedy: 'Check the path and its permissions.',
  },
  file_unwritable: {
    status: 400,
    title: 'A file cannot be written',
    cause: 'The folder does not exist, or Tocsin may not write to it.',
    remedy: 'Check the path and its permissions.',
  },
  yaml_invalid: {
    status: 400,
    title: 'The YAML is invalid',
    cause: 'The file has a syntax error, a duplicate key, a merge key, or more than one document. The detail names the line and column.',
    remedy: 'Correct the named place.',
  },
  yaml_too_large: {
    status: 400,
    title: 'The document is too large',
    cause: 'It has too many bytes, lines, keys, items, levels or repetitions. The detail says which limit it exceeds, and where.',
    remedy: 'Make it smaller: split a playbook into sub-playbooks, and keep long lists out of it. docs/reference/limits.md has all limits.',
  },
  evidence_invalid: {
    status: 400,
    title: 'The evidence cannot be trusted',
    cause: 'The file is no evidence of a run, has changed since it was signed, or was signed with another key. The detail says which.',
    remedy: 'Get the file again from where it was kept unchanged, or make new evidence: `tocsin run evidence <run>`.',
  },
  openapi_invalid: {
    status: 400,
    title: 'The OpenAPI document cannot be used',
    cause: 'The file is no OpenAPI document 3.0 or 3.1, or does not have the operations that were asked for. The detail says which.',
    remedy: 'Correct the document, or name other operations. `tocsin plugin new <folder>` without a document writes an example.',
  },
  manifest_invalid: {
    status: 400,
    title: 'The manifest is invalid',
    cause: 'The manifest breaks its schema, or names something that does not exist. `errors` names each place.',
    remedy: 'Correct the named places. Editors can check the file with schemas/manifest.schema.json.',
  },
  skill_invalid: {
    status: 400,
    title: 'The skill is invalid',
    cause: 'The skill file breaks its schema, or its templates name something that does not exist. `errors` names each place.',
    remedy: 'Correct the named places. Editors can check the file with schemas/skill.schema.json.',
  },
  fixture_invalid: {
    status: 400,
    title: 'A fixture of a plugin is invalid',
    cause: 'The file in fixtures/ is no JSON, lacks `exchanges` or `output`, or has an output that its skill cannot return.',
    remedy: 'Correct the named places, or record the fixture again.',
  },
  expression_invalid: {
    status: 400,
    title: 'A template or condition cannot be read',
    cause: 'A `{{ … }}` has a syntax error or an unknown filter, or a json-logic rule has an unknown operator. The detail says which.',
    remedy: 'Correct the named place.',
  },
  playbook_invalid: {
    status: 400,
    title: 'The playbook is invalid',
    cause: 'The playbook breaks its schema, or names a step, skill or slot that does not exist. `errors` names each place.',
    remedy: 'Correct the named places. Editors can check the file with schemas/playbook.schema.json.',
  },
  check_timeout: {
    status: 422,
    title: 'The text takes too long to check',
    cause: 'Reading, linting, compiling, comparing or rehearsing the text took too long, so Tocsin stopped it.',
    remedy: 'Make it simpler: fewer steps, smaller conditions and lists, no deep nesting. If the whole machine was busy, try again.',
  },
  check_memory: {
    status: 422,
    title: 'The text takes too much memory to check',
    cause: 'Reading, linting, compiling, comparing or rehearsing the text needed too much memory, so Tocsin stopped it.',
    remedy: 'Make it simpler: use smaller conditions and lists, and do not repeat large parts.',
  },
  check_died: {
    status: 422,
    title: 'The check of the text crashed',
    cause:
      'The process that read, linted, compiled, compared or rehearsed the text died for an unknown reason. The log has the last lines that it wrote.',
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
    title: 'The policy is invalid',
    cause:
      'The policy breaks its schema, names a skill that no loaded plugin has, or asks for more approvers than it names. `errors` names each place.',
    remedy: 'Correct the named places. Editors can check the file with schemas/policy.schema.json.',
  },
  playbook_test_invalid: {
    status: 400,
    title: 'The playbook test is invalid',
    cause:
      'The file of tests breaks its schema or is for another playbook, or an answer for a dry run does not fit its skill. `errors` names each place.',
    remedy: 'Correct the named places. Editors can check the file with schemas/playbook-test.schema.json.',
  },
} as const satisfies Record<string, ErrorEntry>
