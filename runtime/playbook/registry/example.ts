/** The keys that every playbook needs. Each line is added if the example does not have the key. */
const frame: readonly (readonly [key: string, text: string])[] = [
  ['format', 'format: 1'],
  ['playbook', 'playbook: example'],
  ['alert_type', 'alert_type: example'],
]
/** Inputs that are declared if the example reads them and declares no inputs. */
const inputs = {
  user: '{ type: string, from: [content.user], required: true }',
  users: '{ type: array, items: { type: string }, from: [content.users], required: true }',
}
const closing = "steps:\n  - id: example\n    case: { note: '{{ inputs | json }}' }"

/**
 * Completes the example of a finding to a playbook. An example that begins with `format:` is a whole playbook already. One that begins with
 * `- ` is a list of steps. Any other example is some of the keys of a playbook. Steps may read the inputs `user` (a text) and `users` (a list of
 * texts), and may run `examplePlaybooks`.
 */
export function wholeExample(example: string): string {
  if (example.startsWith('format:')) return example
  const steps = example.startsWith('- ')
  const body = steps ? `steps:\n${indented(example)}` : example
  const has = (key: string): boolean => new RegExp(`^${key}:`, 'm').test(body)
  const above = frame.filter(([key]) => !has(key)).map(([, text]) => text)
  const read = Object.entries(inputs).filter(([name]) => new RegExp(String.raw`\binputs\.${name}\b`).test(body))
  if (read.length > 0 && !has('inputs')) above.push(`inputs: { ${read.map(([name, shape]) => `${name}: ${shape}`).join(', ')} }`)
  return `${[...above, body.trimEnd(), ...(has('steps') ? [] : [closing])].join('\n')}\n`
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}

/** The playbooks that are linted together with every example. */
export const examplePlaybooks: readonly string[] = [
  `format: 1
playbook: recheck-user
inputs: { user: { type: string, required: true }, days: { type: integer, default: 1 } }
outputs: { active: '{{ steps.look.output.status }}' }
steps:
  - id: look
    skill: mfa.get_mfa_user_details
    with: { username: '{{ inputs.user }}' }
`,
  "format: 1\nplaybook: check-of-users\nalert_type: check_of_users\nsteps:\n  - id: say\n    case: { note: 'Looked at' }\n",
  "format: 1\nplaybook: broken-user\nsteps:\n  - id: say\n    case: { note: '{{ inputs.user }}' }\n",
  // Each of these runs the next one.
  ...Array.from({ length: 10 }, (_, index) => `format: 1\nplaybook: level-${index + 1}\nsteps:\n  - id: again\n    playbook: level-${index + 2}\n`),
  'format: 1\nplaybook: level-11\nsteps:\n  - id: end\n    stop: { outcome: completed }\n',
]
