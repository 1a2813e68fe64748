import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileValue } from '../../runtime/expressions/index.ts'
import { callSkill, loadPluginFolder } from '../../runtime/plugin/index.ts'
import { pluginsFolder, readFixture, replay } from './fixtures.ts'

const integrations = readdirSync(pluginsFolder)

test('there is a plugin', () => {
  expect(integrations).toContain('mailsec')
})

describe.each(integrations)('the anatomy of %s', async (id) => {
  const folder = join(pluginsFolder, id)
  const plugin = await loadPluginFolder(folder)
  const skills = [...plugin.skills.values()]
  const examples = skills.flatMap((skill) => (skill.document.examples ?? []).map((example) => ({ skill, ...example })))

  test('has manifest, skills, fixtures, README, shared code of handlers, and nothing else', () => {
    const handlers = skills.filter(({ does }) => does.kind === 'handler')
    const shared = readdirSync(folder).filter((name) => name === 'lib')
    expect(readdirSync(folder).sort()).toEqual(['README.md', 'fixtures', ...shared, 'manifest.yaml', 'skills'])
    const files = [...skills.map((skill) => `${skill.id}.yaml`), ...handlers.map((skill) => `${skill.id}.ts`)]
    expect(readdirSync(join(folder, 'skills')).sort()).toEqual(files.sort())
    const lib = shared.flatMap((name) => readdirSync(join(folder, name)))
    expect(lib.filter((name) => !name.endsWith('.ts'))).toEqual([])
    expect(handlers.length > 0 || lib.length === 0).toBe(true)
  })

  test('every skill has an example with a fixture, and every fixture an example', () => {
    expect(skills.filter((skill) => !(skill.document.examples ?? []).some(({ fixture }) => fixture !== undefined)).map((skill) => skill.id)).toEqual(
      [],
    )
    const named = examples.flatMap(({ fixture }) => (fixture === undefined ? [] : `${fixture}.json`))
    expect(readdirSync(join(folder, 'fixtures')).sort()).toEqual([...new Set(named)].sort())
  })

  test('alerts can provide what a read skill requires, so that generated playbooks can call it', () => {
    const needs = skills
      .filter(({ impact }) => impact === 'read')
      .flatMap(({ id: skill, document: { input } }) => [input['required'] ?? []].flat().map((key) => ({ skill, key: String(key), input })))
    const unknown = needs.filter(({ key, input }) => {
      const { [key]: property } = (input['properties'] ?? {}) as Record<string, { 'x-semantic'?: unknown; items?: { 'x-semantic'?: unknown } }>
      return property?.['x-semantic'] === undefined && property?.items?.['x-semantic'] === undefined
    })
    expect(unknown.map(({ skill, key }) => `${skill} ${key}`)).toEqual([])
  })

  test('the output of a probe uses only fields that the probed skill returns', () => {
    for (const { document } of skills) {
      const { verify } = document
      if (verify?.output === undefined) continue
      const names = (id: string): readonly string[] => Object.keys((plugin.skills.get(id)?.document.output['properties'] ?? {}) as object)
      const asked = names(verify.skill.split('.')[1] ?? '')
      const named = compileValue(verify.output).reads.filter(([root]) => root === 'output')
      expect(named.map(([, name = '']) => name).filter((name) => !asked.includes(name))).toEqual([])
      expect(Object.keys(verify.output as object).filter((name) => !names(document.id).includes(name))).toEqual([])
    }
  })

  test.each(examples.filter(({ fixture }) => fixture !== undefined))(
    '$skill.id sends the requests of its fixture $fixture, and returns the recorded output',
    async ({ skill, input, fixture = '' }) => {
      const recorded = readFixture(id, fixture)
      const { host, sent } = replay(recorded)
      const checked = skill.checkInput(input)
      expect(checked.faults).toEqual([])
      const { answeredAt: _, ...result } = { answeredAt: undefined, ...(await callSkill(plugin, skill, checked.input, host)) }
      expect(result).toEqual({ ok: true, output: recorded.output })
      expect(sent).toEqual(recorded.exchanges.map(({ request }) => request))
    },
  )
})
