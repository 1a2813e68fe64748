import type { FindingEntry } from '../findings/index.ts'
import { type FindingCode, findingRegistry } from './registry.ts'

const entries = Object.entries(findingRegistry) as readonly (readonly [FindingCode, FindingEntry])[]

/** The text of docs/reference/lint/<code>.md. Written by `npm run generate`; a test holds the file equal. */
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

/** The text of docs/reference/lint/README.md. */
export function renderLintIndex(): string {
  const rows = entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { severity, title }]) => `| [${code}](${code}.md) | ${severity} | ${title} |`)
  return `# What is found in playbooks

Every mistake that Tocsin finds in a playbook before it runs has a code. A playbook with an \`error\` is not imported or activated; a \`warning\` is likely to be a
mistake, or makes one likely.

The examples of the pages are pieces of playbooks: steps, which may name the inputs \`user\` and \`users\`, or other keys of the file. Beside them
stands the sub-playbook \`recheck-user\` with the inputs \`user\` and \`days\`, the playbook for alerts \`check-of-users\`, \`broken-user\`, in which something is wrong, and
\`level-1\` to \`level-11\`, each of which runs the next.

| code | severity | what it is |
|---|---|---|
${rows.join('\n')}

These pages are generated from the entries of the codes: \`runtime/playbook/lint/rules/\`,
\`runtime/playbook/lint/clashes.ts\` and \`runtime/playbook/compile/codes/\`.
`
}

/** Not marked as YAML: an example is a piece of a playbook, and the wrong ones are no playbooks at all. */
function block(text: string): string {
  return `\`\`\`\n${text.trimEnd()}\n\`\`\``
}
