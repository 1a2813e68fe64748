import type { FindingEntry } from '../../findings/index.ts'
import { stepKinds } from '../../grammar/index.ts'

/** The keys of all step kinds, for a message. */
const kindKeys = stepKinds.map(({ key }) => `\`${key}\``).join(', ')

/** Codes about the kinds of steps, and about nested steps. */
export const steps = {
  step_kind_unknown: {
    severity: 'error',
    title: 'The step has no kind',
    why: `The kind of a step is one of these keys: ${kindKeys}. A step without one does nothing.`,
    wrong: '- id: issues\n  skil: mailsec.get_mailsec_issues',
    right: '- id: issues\n  skill: mailsec.get_mailsec_issues',
  },
  step_id_taken: {
    severity: 'error',
    title: 'Two steps have the same id',
    why: 'Ids are unique in a playbook. Templates and the journal use them to name steps.',
    wrong: '- id: facts\n  set: { risk: 10 }\n- id: facts\n  set: { level: 2 }',
    right: '- id: facts\n  set: { risk: 10 }\n- id: more_facts\n  set: { level: 2 }',
  },
  loop_list_invalid: {
    severity: 'error',
    title: 'The loop has no list',
    why: '`foreach` takes a list, or one `{{ … }}` that returns a list. It does not take text.',
    wrong: '- id: each\n  foreach: ada, bob\n  max_items: 2\n  steps:\n    - id: say\n      case: { note: "{{ item }}" }',
    right: '- id: each\n  foreach: [ada, bob]\n  steps:\n    - id: say\n      case: { note: "{{ item }}" }',
  },
  loop_unbounded: {
    severity: 'error',
    title: 'The loop has no bound',
    why: 'Tocsin states before a run what the playbook can do at most. If the list has more items than `max_items`, the step fails before the first item. No item is skipped silently.',
    wrong: '- id: each\n  foreach: "{{ inputs.users }}"\n  steps:\n    - id: say\n      case: { note: "{{ item }}" }',
    right: '- id: each\n  foreach: "{{ inputs.users }}"\n  max_items: 50\n  steps:\n    - id: say\n      case: { note: "{{ item }}" }',
  },
  loop_bound_too_small: {
    severity: 'error',
    title: 'The list has more items than `max_items`',
    why: 'The step would fail in every run.',
    wrong: '- id: each\n  foreach: [ada, bob, eve]\n  max_items: 2\n  steps:\n    - id: say\n      case: { note: "{{ item }}" }',
    right: '- id: each\n  foreach: [ada, bob, eve]\n  max_items: 3\n  steps:\n    - id: say\n      case: { note: "{{ item }}" }',
  },
  loop_item_name_taken: {
    severity: 'error',
    title: "The name of the loop's item is already used",
    why: 'Inside the loop, the other value could not be read.',
    wrong: '- id: each\n  foreach: [ada, bob]\n  as: inputs\n  steps:\n    - id: say\n      case: { note: "{{ inputs }}" }',
    right: '- id: each\n  foreach: [ada, bob]\n  as: name\n  steps:\n    - id: say\n      case: { note: "{{ name }}" }',
  },
  loop_sets_var: {
    severity: 'error',
    title: 'A concurrent loop sets a variable',
    why: 'Variables belong to the run. Iterations that run at the same time would overwrite each other in random order.',
    wrong: '- id: each\n  foreach: [ada, bob]\n  concurrency: 2\n  steps:\n    - id: facts\n      set: { last: "{{ item }}" }',
    right: '- id: each\n  foreach: [ada, bob]\n  steps:\n    - id: facts\n      set: { last: "{{ item }}" }',
  },
  switch_default_not_last: {
    severity: 'error',
    title: 'There are cases after the default',
    why: 'Tocsin takes the first case whose condition is true. `default` is always true, so no case after it is ever taken.',
    wrong:
      "- id: decide\n  switch:\n    - default: true\n      steps:\n        - id: low\n          case: { severity: low }\n    - when: { '!!': [{ var: [inputs.user, null] }] }\n      steps:\n        - id: high\n          case: { severity: high }",
    right:
      "- id: decide\n  switch:\n    - when: { '!!': [{ var: [inputs.user, null] }] }\n      steps:\n        - id: high\n          case: { severity: high }\n    - default: true\n      steps:\n        - id: low\n          case: { severity: low }",
  },
  parallel_join_impossible: {
    severity: 'error',
    title: 'The join waits for more branches than there are',
    why: 'The step would fail in every run.',
    wrong:
      '- id: look\n  parallel:\n    join: { at_least: 2 }\n    branches:\n      mail:\n        - id: issues\n          skill: mailsec.get_mailsec_issues',
    right:
      '- id: look\n  parallel:\n    join: { at_least: 1 }\n    branches:\n      mail:\n        - id: issues\n          skill: mailsec.get_mailsec_issues',
  },
  parallel_sets_var: {
    severity: 'error',
    title: 'Two branches set the same variable',
    why: 'Branches run at the same time and would overwrite each other in random order. Let each branch set a name that no other branch sets.',
    wrong:
      '- id: look\n  parallel:\n    branches:\n      one:\n        - id: first\n          set: { found: 1 }\n      two:\n        - id: second\n          set: { found: 2 }',
    right:
      '- id: look\n  parallel:\n    branches:\n      one:\n        - id: first\n          set: { found_first: 1 }\n      two:\n        - id: second\n          set: { found_second: 2 }',
  },
} as const satisfies Record<string, FindingEntry>
