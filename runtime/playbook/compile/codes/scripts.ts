import type { FindingEntry } from '../../findings/index.ts'

/** Codes about scripts. */
export const scripts = {
  script_invalid: {
    severity: 'error',
    title: 'The script does not parse, or the playbook has too many',
    why: 'A script is one module of TypeScript or JavaScript. A playbook has at most 100 scripts.',
    wrong: '- id: risk\n  script: |\n    export default ({ n }) => ({ score: n + })\n  with: { n: 1 }',
    right: '- id: risk\n  script: |\n    export default ({ n }) => ({ score: n + 1 })\n  with: { n: 1 }',
  },
  script_import: {
    severity: 'error',
    title: 'The script imports something',
    why: 'A script has its arguments and nothing else: no files, no network, no packages. Write a skill if you need more.',
    wrong: "- id: risk\n  script: |\n    import { readFileSync } from 'node:fs'\n    export default ({ n }) => ({ score: n })\n  with: { n: 1 }",
    right: '- id: risk\n  script: |\n    export default ({ n }) => ({ score: n })\n  with: { n: 1 }',
  },
  script_default_missing: {
    severity: 'error',
    title: 'The script has no default export',
    why: 'The step calls the default export with the arguments.',
    wrong: '- id: risk\n  script: |\n    const score = ({ n }) => ({ score: n })\n  with: { n: 1 }',
    right: '- id: risk\n  script: |\n    export default ({ n }) => ({ score: n })\n  with: { n: 1 }',
  },
  script_output_invalid: {
    severity: 'error',
    title: 'The `output` of the script is not a valid JSON Schema',
    why: 'The schema describes the return value, for the steps that read it and for the check at run time.',
    wrong: '- id: risk\n  script: |\n    export default ({ n }) => ({ score: n })\n  with: { n: 1 }\n  output: { type: objct }',
    right:
      '- id: risk\n  script: |\n    export default ({ n }) => ({ score: n })\n  with: { n: 1 }\n  output: { type: object, properties: { score: { type: integer } } }',
  },
} as const satisfies Record<string, FindingEntry>
