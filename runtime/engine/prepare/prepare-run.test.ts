import { expect, test } from 'vitest'
import { systemIds } from '../../config/index.ts'
import { type Alert, asId, type OrganizationId } from '../../domain/index.ts'
import { compilePlaybook, type PlaybookLibrary, skillLookup } from '../../playbook/index.ts'
import type { PluginLibrary } from '../../plugin/index.ts'
import { RunPreparer } from './prepare-run.ts'

const playbook = `format: 1
playbook: stolen
alert_type: stolen
description: For a test.
inputs: { user: { type: string, from: [content.user] } }
case: { title: '{{ inputs.user }}', join: { key: '{{ inputs.user }}', within: 24h } }
steps: [{ id: note, set: { user: '{{ inputs.user }}' } }]
`

/** Returns the opening of the case for an alert about the user. */
async function openingFor(user: string) {
  const plan = compilePlaybook(playbook, 'stolen.yaml', skillLookup(new Map()))
  const playbooks = { resolve: async () => plan } as unknown as PlaybookLibrary
  const plugins = { active: async () => new Map() } as unknown as PluginLibrary
  const preparer = new RunPreparer({ of: async () => [] }, playbooks, plugins, { set: async () => null }, systemIds)
  const alert = { organization: asId<OrganizationId>('acme'), name: 'Stolen', type: 'stolen', content: JSON.stringify({ user }) } as Alert
  return (await preparer.prepare(alert)).opening
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

test('a title is cut', async () => {
  expect((await openingFor('u'.repeat(501))).title).toHaveLength(500)
})
