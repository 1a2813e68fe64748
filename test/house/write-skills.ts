import { readdirSync, readFileSync } from 'node:fs'
import { loadPluginFolder, type Skill } from '../../runtime/plugin/index.ts'

const plugins = new URL('../../plugins/', import.meta.url)

/** A skill that ships and changes the outside world, with what its file says of calls whose outcome is unknown. */
export interface WriteSkill {
  readonly integration: string
  readonly skill: Skill
  /** The comment above `idempotent`, as running text; empty where there is none. */
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

const repeats = {
  state: 'sets a state; repeated',
  key: 'the vendor knows a repeat; repeated',
  none: 'not repeated',
} as const

function row({ integration, skill, why }: WriteSkill): string {
  const { idempotent, verify, inverse } = skill.document
  const within = idempotent?.repeat_within
  const bound = within === undefined ? '' : ` within ${within}`
  const again = idempotent ? `${repeats[idempotent.by]}${idempotent.by === 'none' ? '' : bound}` : ''
  const done = idempotent?.already_done?.map((code) => `\`${code}\``).join(', ') ?? ''
  const probe = verify ? `\`${verify.skill}\`${bound === '' ? '' : `; sent again${bound}`}` : 'none'
  const undone = inverse ? `\`${inverse.skill}\`` : 'none'
  return `| \`${integration}.${skill.id}\` | ${skill.impact} | ${again} | ${done} | ${probe} | ${undone} | ${why.replaceAll('|', '\\|')} |`
}

/** docs/reference/write-skills.md */
export async function renderWriteSkills(): Promise<string> {
  return `# What the write skills declare

What happens to a call of each write and high-impact skill whose outcome is unknown (a crash, a time-out, a reset, a 5xx): it is sent again where that is safe, else the
target is asked by its probe, else people are. After the bound nothing is sent again without a person. [What that means](guarantees/writes.md).

| skill | impact | when its outcome is unknown | was done before, where answered with | probe | inverse | why |
|---|---|---|---|---|---|---|
${(await writeSkills()).map(row).join('\n')}

This page is generated from the skills in \`plugins/\`.
`
}
