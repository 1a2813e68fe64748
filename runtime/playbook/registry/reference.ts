import type { FindingEntry } from '../findings/index.ts'
import { type FindingCode, findingRegistry } from './registry.ts'

const entries = Object.entries(findingRegistry) as readonly (readonly [FindingCode, FindingEntry])[]

/** Returns the text of docs/reference/lint/<code>.md. `npm run generate` writes the file, and a test checks that it is up to date. */
export function renderLintPage(code: FindingCode): string {
  const { severity, title, why, wrong, right } = findingRegistry[code]
  return `# ${code}

${title}. Severity: ${severity}.

${why}

Wrong:

${block(wrong)}

Right:

${block(right)}

[All codes](README.md)
`
}

/** Returns the text of docs/reference/lint/README.md. */
export function renderLintIndex(): string {
  const rows = entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { severity, title }]) => `| [${code}](${code}.md) | ${severity} | ${title} |`)
  return `# Findings in playbooks

Tocsin checks a playbook before it runs. Each kind of mistake has a code.

- A playbook with an \`error\` is not imported or activated.
- A \`warning\` is only reported. It is probably a mistake.

The examples on the pages are pieces of playbooks: steps, or other keys of the file. They can use:

- the inputs \`user\` and \`users\`,
- the sub-playbook \`recheck-user\`, with the inputs \`user\` and \`days\`,
- \`check-of-users\`, which has an alert type, and \`broken-user\`, which has an error,
- \`level-1\` to \`level-11\`, each of which runs the next one.

| code | severity | what it is |
|---|---|---|
${rows.join('\n')}

These pages are generated from the entries of the codes: \`runtime/playbook/lint/rules/\`,
\`runtime/playbook/lint/clashes.ts\` and \`runtime/playbook/compile/codes/\`.
`
}

/** Formats an example. It is not marked as YAML, because it is only a piece of a playbook, or not valid at all. */
function block(text: string): string {
  return `\`\`\`\n${text.trimEnd()}\n\`\`\``
}
