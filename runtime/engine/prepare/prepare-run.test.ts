import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { systemIds } from '../../config/index.ts'
import { type Alert, asId, type OrganizationId, type SentAlert } from '../../domain/index.ts'
import { compilePlaybook, type PlaybookLibrary, skillLookup } from '../../playbook/index.ts'
import { loadPluginFolder, type Plugin, type PluginLibrary } from '../../plugin/index.ts'
import { RunPreparer } from './prepare-run.ts'

const playbook = `format: 1
playbook: stolen
alert_type: stolen
description: For a test.
inputs: { user: { type: string, from: [content.user] } }
case: { title: '{{ inputs.user }}', join: { key: '{{ inputs.user }}', within: 24h } }
steps: [{ id: note, set: { user: '{{ inputs.user }}' } }]
`

function preparerOf(text: string, loaded: ReadonlyMap<string, Plugin> = new Map()): RunPreparer {
  const plan = compilePlaybook(text, 'stolen.yaml', skillLookup(loaded))
  const playbooks = { resolve: async () => plan } as unknown as PlaybookLibrary
  const plugins = { active: async () => loaded } as unknown as PluginLibrary
  return new RunPreparer({ of: async () => [] }, playbooks, plugins, { set: async () => null }, systemIds)
}

const alertAbout = (user: string): SentAlert =>
  ({ organization: asId<OrganizationId>('acme'), name: 'Stolen', type: 'stolen', content: JSON.stringify({ user }) }) as SentAlert

/** Returns the opening of the case for an alert about the user. */
async function openingFor(user: string) {
  return (await preparerOf(playbook).prepare(alertAbout(user) as Alert)).opening
}

test('a join key is its rendered text; two long ones that differ at the end stay different', async () => {
  const long = 'u'.repeat(500)
  expect((await openingFor('ada')).join).toEqual({ key: 'ada', within: 86_400_000 })
  expect((await openingFor(long)).join?.key).toBe(long)
  const [one, other] = [(await openingFor(`${long}1`)).join?.key, (await openingFor(`${long}2`)).join?.key]
  expect(one).toMatch(/^sha256:[0-9a-f]{64}$/)
  expect(other).not.toBe(one)
  expect((await openingFor(`${long}1`)).join?.key).toBe(one)
})

test('a title, a join key and a fingerprint may be a number, a boolean, a list or an object', async () => {
  const about = 'alert.content.it'
  const text = `${playbook.replaceAll('inputs.user', about)}duplicates: { fingerprint: '{{ ${about} }}', within: 1h }\n`
  const prepared = async (it: unknown) => preparerOf(text).prepare({ ...alertAbout('ada'), content: JSON.stringify({ it }) } as Alert)
  const shown = async (it: unknown) => {
    const { opening, fingerprint } = await prepared(it)
    return [opening.title, opening.join?.key, fingerprint?.digest === (await prepared(it)).fingerprint?.digest && fingerprint !== null]
  }
  expect(await shown(7)).toEqual(['7', '7', true])
  expect(await shown(false)).toEqual(['false', 'false', true])
  expect(await shown(['a', { b: 1 }])).toEqual(['["a",{"b":1}]', '["a",{"b":1}]', true])
  expect(await shown(null)).toEqual(['Stolen', undefined, false])
  expect((await prepared(7)).fingerprint).not.toEqual((await prepared(8)).fingerprint)
})

test('a run that may not begin pins why, for the process that ends it', () => {
  const failure = { code: 'playbook_invalid', message: '7:5 there is no such skill', remedy: 'Correct it.', step: null }
  expect(preparerOf(playbook).refuse(alertAbout('ada'), failure)).toMatchObject({ pins: { refused: failure } })
})

test('a required connection that is missing is the reason why a run may not begin', async () => {
  const text = playbook.replace('inputs:', 'connections: { mail: { integration: mailsec } }\ninputs:')
  const mailsec = await loadPluginFolder(fileURLToPath(new URL('../../../plugins/mailsec', import.meta.url)))
  const { pins } = await preparerOf(text, new Map([[mailsec.id, mailsec]])).prepare(alertAbout('ada') as Alert)
  expect(pins).toMatchObject({ connections: {}, refused: { code: 'connection_missing', message: expect.stringContaining('there is none') } })
  expect((await preparerOf(playbook).prepare(alertAbout('ada') as Alert)).pins).not.toHaveProperty('refused')
})

test('a title is cut', async () => {
  expect((await openingFor('u'.repeat(501))).title).toHaveLength(500)
})

test('an alert that is being stored is prepared without its number, and with it only if the title reads that', async () => {
  const asked: string[] = []
  const underWay = (name: string) => ({
    sent: alertAbout('ada'),
    stored: async () => {
      asked.push(name)
      return { ...alertAbout('ada'), alertId: 'ACME-EDR-7', retryCount: 0 } as Alert
    },
  })
  const titled = async (title: string): Promise<string> => {
    const { opening } = await preparerOf(playbook.replace("title: '{{ inputs.user }}'", () => `title: '${title}'`)).prepare(underWay(title))
    return opening.title
  }
  expect(await titled('{{ inputs.user }} {{ alert.alert_name }}')).toBe('ada Stolen')
  expect(await titled('{{ alert.alert_id }}')).toBe('ACME-EDR-7')
  expect(await titled('{% assign all = alert %}{{ all.alert_id }}')).toBe('ACME-EDR-7')
  expect(await titled('{% assign part = "alert_id" %}{{ alert[part] }}')).toBe('ACME-EDR-7')
  expect(asked).toHaveLength(3)
})

test('an alert that is not stored after all is given up', async () => {
  const needy = preparerOf(playbook.replace("key: '{{ inputs.user }}'", "key: '{{ alert.alert_id }}'"))
  await expect(needy.prepare({ sent: alertAbout('ada'), stored: async () => null })).rejects.toThrow('The alert is not stored.')
})
