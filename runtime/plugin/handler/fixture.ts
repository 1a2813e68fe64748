import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SendResult } from '../answer/send-result.ts'
import type { SkillAnswer } from '../answer/skill-answer.ts'
import { callSkill } from '../call/call.ts'
import type { HandlerHost } from '../call/call-host.ts'
import type { CallResult } from '../call/call-result.ts'
import { loadPluginFolder } from '../manifest/load.ts'
import type { SkillRequest } from '../request/skill-request.ts'
import { hostOf } from '../testing.ts'
import type { Plugin } from '../types.ts'

/** A plugin with one skill, whose code the test gives. For the tests of this room. */

export const manifest = `
format: 1
id: things
name: Things
vendor: { name: Example, api: API }
version: 1.0.0
categories: [identity]
credentials:
  - { name: base_url, label: Base URL, type: origin, required: true }
  - { name: api_token, label: API Token, type: string, secret: true, required: true }
origins: ['{{ credentials.base_url }}']
auth: { scheme: header, header: x-token, value: { credential: api_token } }
request: { base_path: /api, paginate: { kind: cursor, send: cursor, next: next, items: items } }
test: { request: { method: GET, path: /me } }
errors:
  - { when: { '==': [{ var: status }, 409] }, code: busy, cause: The thing is busy., remedy: Wait., effect: none }
`
const skill = (impact: 'read' | 'write', handler: string, output: string, rest: string): string => `
format: 1
id: do_things
title: Do Things
purpose: For a test.
category: administration
impact: ${impact}
input: { type: object, properties: { name: { type: string, default: ada } } }
output: ${output}
handler: ${handler}
${impact === 'write' ? 'idempotent: { by: none }' : ''}
${rest}
`
const folders: string[] = []

/** Removes the plugins that the tests wrote. Call it after the tests. */
export async function removeWritten(): Promise<void> {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })))
}

interface Files {
  readonly impact?: 'read' | 'write'
  readonly handler?: string
  /** The output schema: JSON Schema in YAML. */
  readonly output?: string
  /** More YAML for the skill. */
  readonly rest?: string
  readonly more?: Readonly<Record<string, string>>
}

const anyNumber = '{ type: object, properties: { n: { type: integer } } }'

export async function write(
  code: string | null,
  { impact = 'read', handler = '{}', output = anyNumber, rest = '', more = {} }: Files = {},
): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'handler-'))
  folders.push(parent)
  const folder = join(parent, 'things')
  for (const name of ['skills', 'lib']) await mkdir(join(folder, name), { recursive: true })
  const files = { 'manifest.yaml': manifest, 'skills/do_things.yaml': skill(impact, handler, output, rest), ...more }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  if (code !== null) await writeFile(join(folder, 'skills/do_things.ts'), code)
  return folder
}

interface Called {
  readonly result: CallResult
  readonly sent: readonly SkillRequest[]
}

/** Calls the body of a handler once, with these answers. */
export async function run(
  body: string,
  answers: readonly (SendResult | SkillAnswer)[] = [],
  files: Files = {},
  over: Partial<HandlerHost> = {},
): Promise<Called & { readonly plugin: Plugin }> {
  const code = `export default async (call) => { const { input, fields, http, stream, log, sleep, path, fail } = call; ${body} }`
  const plugin = await loadPluginFolder(await write(code, files))
  return { ...(await call(plugin, answers, over)), plugin }
}

export async function call(plugin: Plugin, answers: readonly (SendResult | SkillAnswer)[], over: Partial<HandlerHost> = {}): Promise<Called> {
  const found = plugin.skills.get('do_things')
  if (!found) throw new Error('no skill')
  const host = hostOf(...answers)
  const result = await callSkill(plugin, found, found.checkInput({}).input, { ...host, ...over })
  return { result, sent: host.sent }
}

/** Returns the ids of this process's children, from `/proc`. */
export function childProcesses(): number[] {
  return readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}
