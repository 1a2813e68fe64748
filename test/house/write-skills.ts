import { readdirSync, readFileSync } from 'node:fs'
import { loadPluginFolder, type Skill } from '../../runtime/plugin/index.ts'

const plugins = new URL('../../plugins/', import.meta.url)

/** A shipped skill that writes, with what its file says about calls whose outcome is unknown. */
export interface WriteSkill {
  readonly integration: string
  readonly skill: Skill
  /** The comment above `idempotent`, as one paragraph. Empty if there is none. */
  readonly why: string
}

export async function writeSkills(): Promise<readonly WriteSkill[]> {
  const loaded = await Promise.all(readdirSync(plugins).map(async (id) => ({ id, plugin: await loadPluginFolder(new URL(id, plugins).pathname) })))
  return loaded.flatMap(({ id, plugin }) =>
    [...plugin.skills.values()]
      .filter(({ impact }) => impact !== 'read')
      .map((skill) => ({ integration: id, skill, why: commentAbove(readFileSync(new URL(`${id}/skills/${skill.id}.yaml`, plugins), 'utf8')) })),
  )
}

function commentAbove(text: string): string {
  const above = text.split('\n').slice(
    0,
    text.split('\n').findIndex((line) => line.startsWith('idempotent:')),
  )
  const first = above.findLastIndex((line) => !line.startsWith('#')) + 1
  return above
    .slice(first)
    .map((line) => line.replace(/^# ?/, ''))
    .join(' ')
}

/** Says what Tocsin does if the answer is lost, in order. */
function afterLoss({ document: { idempotent, verify } }: Skill): string {
  const bound = idempotent?.repeat_within === undefined ? '' : ` within ${idempotent.repeat_within}`
  const probe = verify ? `checks with \`${verify.skill}\`` : undefined
  if (idempotent === undefined || idempotent.by === 'none')
    return probe ? `${probe}, and sends it${bound} if it did not happen; then asks a person` : 'asks a person'
  const again = `sends it again${idempotent.by === 'key' ? ' with the same key' : ''}`
  return bound === '' ? `${again}, at any time` : [`${again}${bound}`, ...(probe ? [probe] : []), 'asks a person'].join('; then ')
}

function section({ integration, skill, why }: WriteSkill): string {
  const { idempotent, inverse } = skill.document
  const done = idempotent?.already_done?.map((code) => `\`${code}\``).join(', ')
  return `### \`${integration}.${skill.id}\`

- Impact: ${skill.impact}
- After a lost answer, Tocsin ${afterLoss(skill)}.
${done === undefined ? '' : `- Counts as done: ${done}\n`}- Undone by: ${inverse ? `\`${inverse.skill}\`` : 'nothing'}
- Why: ${why}
`
}

/** Returns the part of a skill's file from `idempotent` to its inverse. */
function declaration(path: string): string {
  const lines = readFileSync(new URL(path, plugins), 'utf8').split('\n')
  const [first, last] = ['idempotent:', 'inverse:'].map((key) => lines.findIndex((line) => line.startsWith(key)))
  return lines.slice(first, (last ?? 0) + 1).join('\n')
}

/** Returns the text of docs/reference/write-skills.md. */
export async function renderWriteSkills(): Promise<string> {
  const skills = await writeSkills()
  const integrations = [...new Set(skills.map(({ integration }) => integration))]
  const groups = integrations.map(
    (id) =>
      `## \`${id}\`\n\n${skills
        .filter(({ integration }) => integration === id)
        .map(section)
        .join('\n')}`,
  )
  return `# What the write skills declare

If the answer of a write is lost (a crash, a time-out, a reset, a 5xx), Tocsin does not know whether the write happened. This page lists, for every write skill that
ships, what Tocsin does then, and why. [Guarantees for writes](guarantees/writes.md) explains the rules.

A skill's file declares it. For example, \`mfa.suspend_mfa_user\`:

\`\`\`yaml
${declaration('mfa/skills/suspend_mfa_user.yaml')}
\`\`\`

- \`idempotent\`: whether Tocsin may send the write again, and how long (\`repeat_within\`). After that time it sends nothing again without a person.
- \`already_done\`: answers that show that the write was done before.
- \`verify\`: the probe, a read that shows whether the write happened.
- \`inverse\`: the write that undoes this one.

${groups.join('\n')}
This page is generated from the skills in \`plugins/\`.
`
}
