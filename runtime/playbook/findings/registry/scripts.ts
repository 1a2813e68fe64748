import type { FindingEntry } from '../entry.ts'

/** Steps that are code. */
export const scripts = {
  script_invalid: {
    severity: 'error',
    title: 'The script does not parse, or is one too many',
    why: 'A script is one module of TypeScript or JavaScript; a playbook has 100 of them at most.',
    wrong: '- id: risk\n  script: |\n    export default ({ n }) => ({ score: n + })\n  with: { n: 1 }',
    right: '- id: risk\n  script: |\n    export default ({ n }) => ({ score: n + 1 })\n  with: { n: 1 }',
  },
  script_import: {
    severity: 'error',
    title: 'The script imports something',
    why: 'A script is a function of its arguments and has nothing else: no files, no network, no packages. What needs more is a skill.',
    wrong: "- id: risk\n  script: |\n    import { readFileSync } from 'node:fs'\n    export default ({ n }) => ({ score: n })\n  with: { n: 1 }",
    right: '- id: risk\n  script: |\n    export default ({ n }) => ({ score: n })\n  with: { n: 1 }',
  },
  script_default_missing: {
    severity: 'error',
    title: 'The script has no default export',
    why: 'The default export is the function that the step calls with its arguments.',
    wrong: '- id: risk\n  script: |\n    const score = ({ n }) => ({ score: n })\n  with: { n: 1 }',
    right: '- id: risk\n  script: |\n    export default ({ n }) => ({ score: n })\n  with: { n: 1 }',
  },
  script_output_invalid: {
    severity: 'error',
    title: 'The `output` of the script is not a valid JSON Schema',
    why: 'It says what the script returns, for the steps that read it and for the check at run time.',
    wrong: '- id: risk\n  script: |\n    export default ({ n }) => ({ score: n })\n  with: { n: 1 }\n  output: { type: objct }',
    right:
      '- id: risk\n  script: |\n    export default ({ n }) => ({ score: n })\n  with: { n: 1 }\n  output: { type: object, properties: { score: { type: integer } } }',
  },
  script_template: {
    severity: 'error',
    title: 'A template stands in a script',
    why: 'What the alert says must not become part of a program, so templates are not rendered in scripts. Values come by `with`.',
    wrong: "- id: risk\n  script: |\n    export default () => ({ known: '{{ inputs.user }}' === 'ada' })",
    right: "- id: risk\n  script: |\n    export default ({ user }) => ({ known: user === 'ada' })\n  with: { user: '{{ inputs.user }}' }",
  },
  script_argument_missing: {
    severity: 'error',
    title: 'A script takes an argument that it is not given',
    why: 'It is `undefined` in every run, and what is computed with it is wrong or fails.',
    wrong: '- id: risk\n  script: |\n    export default ({ n, more }) => ({ score: n + more })\n  with: { n: 1 }',
    right: '- id: risk\n  script: |\n    export default ({ n, more = 0 }) => ({ score: n + more })\n  with: { n: 1 }',
  },
  script_argument_unused: {
    severity: 'warning',
    title: 'A script is given an argument that it does not take',
    why: 'Either the script was meant to use it, or it has another name there.',
    wrong: '- id: risk\n  script: |\n    export default ({ n }) => ({ score: n })\n  with: { n: 1, users: 2 }',
    right: '- id: risk\n  script: |\n    export default ({ n, users }) => ({ score: n * users })\n  with: { n: 1, users: 2 }',
  },
  script_impure: {
    severity: 'error',
    title: 'A script uses what it does not have',
    why: 'A script is a pure function, so that a run that died computes the same again: no clock, no randomness, no network, no timers.',
    wrong:
      '- id: age\n  script: |\n    export default ({ at }) => ({ hours: (Date.now() - at) / 3600000 })\n  with: { at: "{{ alert.created_at }}" }',
    right:
      '- id: age\n  script: |\n    export default ({ at, now }) => ({ hours: (now - at) / 3600000 })\n  with: { at: "{{ alert.created_at }}", now: "{{ run.now }}" }',
  },
} as const satisfies Record<string, FindingEntry>
