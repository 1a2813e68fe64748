import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Json } from '../domain/index.ts'
import { compilePlaybook } from '../playbook/index.ts'
import { rehearse } from './rehearse.ts'
import type { Answers, Given, Rehearsal, Rehearsed } from './types.ts'
import { openWorld, type World } from './world.ts'

/** The plugins that ship with Tocsin. */
const plugins = fileURLToPath(new URL('../../plugins', import.meta.url))

export const world: Promise<World> = openWorld({ plugins: [plugins], playbooks: [] })

/** Returns the text of a playbook with these steps. Its input is the e-mail address in the alert. */
export function playbookOf(steps: string, above = ''): string {
  return `format: 1
playbook: tested
alert_type: tested
inputs: { user: { type: string, from: [content.user], default: ada@example.com } }
${above}
steps:
${steps
  .trim()
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')}
`
}

export const output = (value: Json): Given => ({ kind: 'output', output: value })
export const failing = (code: string, effect: Extract<Given, { kind: 'failed' }>['effect'] = null): Given => ({
  kind: 'failed',
  code,
  message: null,
  effect,
})

/**
 * Returns answers for each skill: the first call gets the first answer, and so on. All later calls
 * get the last.
 */
export function answersOf(given: Readonly<Record<string, Given | readonly Given[]>>, verify: Given | null = null): Answers {
  const asked = new Map<string, number>()
  return {
    answer({ skill }) {
      const list = [given[skill] ?? []].flat()
      const number = asked.get(skill) ?? 0
      asked.set(skill, number + 1)
      return list[number] ?? list.at(-1) ?? null
    },
    verify: () => verify,
  }
}

export async function rehearsed(steps: string, answers: Answers, over: Partial<Rehearsal> & { readonly above?: string } = {}): Promise<Rehearsed> {
  const { plugins, lookup } = await world
  const plan = compilePlaybook(playbookOf(steps, over.above), 'tested.yaml', lookup)
  return rehearse({ plan, plugins, alert: { content: '{"user":"ada@example.com"}' }, now: 1_000_000, connections: {}, answers, ...over })
}

/** Writes files into a new folder. `remove` deletes it. */
export function folderOf(files: Readonly<Record<string, string>>): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
