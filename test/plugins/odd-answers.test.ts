import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../runtime/domain/index.ts'
import { callSkill, loadPluginFolder, type Skill } from '../../runtime/plugin/index.ts'
import { type Fixture, pluginsFolder, readFixture, replay } from './fixtures.ts'

/**
 * Takes every recorded answer and changes each of its fields to what a vendor may send one day:
 * null, nothing, or another type. A read returns the answer or a clear error. A write that was
 * answered as done counts as done.
 */
const changes: Readonly<Record<string, Json | undefined>> = {
  null: null,
  missing: undefined,
  'a text': 'odd text',
  'a number': 7,
  'a list of texts': ['x', 'y'],
  'a map': { odd: true },
}

/** Each call of this skill starts a thread. */
const slow = 'get_crm_event_log_files'
const few = ['null', 'a number']

type Path = readonly (string | number)[]

/** Yields the paths of the value and its fields. Of each list, only the first item. */
function* fieldsOf(value: Json, at: Path = []): Generator<Path> {
  yield at
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Array.isArray(value) ? [...value.entries()].slice(0, 1) : Object.entries(value))
    yield* fieldsOf(part as Json, [...at, key])
}

function changed(value: Json, [key, ...rest]: Path, to: Json | undefined): Json {
  if (key === undefined) return to ?? ''
  if (Array.isArray(value))
    return value.flatMap((item: Json, at) => (at === key ? (rest.length === 0 ? (to === undefined ? [] : [to]) : [changed(item, rest, to)]) : [item]))
  const entries = Object.entries(value as Readonly<Record<string, Json>>)
  return Object.fromEntries(
    entries.flatMap(([name, part]) =>
      name !== key ? [[name, part]] : rest.length > 0 ? [[name, changed(part, rest, to)]] : to === undefined ? [] : [[name, to]],
    ),
  )
}

/** The allowed errors for an answer that cannot be used or was not requested. */
const said = new Set([
  'skill_output_invalid',
  'answer_not_understood',
  'answer_not_asked_for',
  'answer_odd',
  'paging_endless',
  'search_without_id',
  'search_without_list',
  'search_not_told',
  'operation_failed',
  'default_not_known',
  'items_failed',
  'remediation_not_known',
  'no_versions',
  'user_unknown',
])
/** The allowed errors of a write that was answered as done. The form of its answer cannot undo it. */
const saidOfWrites: Readonly<Record<string, readonly string[]>> = {
  // A field of its answers says whether the write was done.
  mfa: ['answer_not_understood', 'operation_failed'],
  mailsec: ['items_failed'],
  crm: [],
  browser: [],
}
/** The changed answer made the skill request more than was recorded: another page, another read. */
const went = 'The fixture has no more answers.'

async function oddities(
  plugin: Awaited<ReturnType<typeof loadPluginFolder>>,
  skill: Skill,
  input: Json,
  fixture: Fixture,
): Promise<{ readonly variants: number; readonly wrong: readonly string[] }> {
  const wrong: string[] = []
  let variants = 0
  for (const [at, { answer }] of fixture.exchanges.entries()) {
    if (typeof answer.body !== 'object' || answer.body === null) continue
    for (const path of fieldsOf(answer.body)) {
      for (const [name, to] of Object.entries(changes).filter(([name]) => skill.id !== slow || few.includes(name))) {
        const exchanges = fixture.exchanges.map((exchange, index) =>
          index === at ? { ...exchange, answer: { ...answer, body: changed(answer.body, path, to) } } : exchange,
        )
        variants += 1
        const result = await callSkill(plugin, skill, skill.checkInput(input).input, replay({ ...fixture, exchanges }).host)
        if (result.ok) continue
        const { code, message } = result.failure
        const wrote = skill.impact !== 'read' && fixture.exchanges[at]?.request.method !== 'GET'
        const allowed = wrote ? (saidOfWrites[plugin.id] ?? []).includes(code) : said.has(code)
        if (!allowed && message !== went) wrong.push(`${at} ${path.join('.')} as ${name}: ${result.effect} ${code} ${message}`)
      }
    }
  }
  return { variants, wrong }
}

describe.each(readdirSync(pluginsFolder))('%s', async (id) => {
  const plugin = await loadPluginFolder(join(pluginsFolder, id))
  const examples = [...plugin.skills.values()].flatMap((skill) => (skill.document.examples ?? []).map((example) => ({ skill, ...example })))

  test.each(examples.filter(({ fixture }) => fixture !== undefined))(
    '$skill.id handles odd variants of the answers in $fixture',
    async ({ skill, input, fixture = '' }) => {
      const { wrong } = await oddities(plugin, skill, input, readFixture(id, fixture))
      expect(wrong).toEqual([])
    },
  )
})
