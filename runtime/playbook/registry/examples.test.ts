import { expect, test } from 'vitest'
import { loadPluginFolders } from '../../plugin/index.ts'
import { lintFiles, lintWorld } from '../lint/index.ts'
import { examplePlaybooks, wholeExample } from './example.ts'
import { type FindingCode, findingRegistry } from './registry.ts'

const plugins = await loadPluginFolders([new URL('../../../plugins', import.meta.url).pathname])
/** For the codes about connections. `mfa` has expired, `crm` has two without a default, `mailsec` has a low role, and `browser` has none. */
const connections = ['mfa', 'crm', 'crm', 'mailsec'].map((integration, index) => ({
  instance: `${integration}-${index}`,
  integration,
  organization: 'acme',
  isDefault: false,
  slots: [],
  role: integration === 'mailsec' ? 'issue_responder' : null,
  expired: integration === 'mfa',
}))
const installed = new Map(plugins.map((plugin) => [plugin.id, plugin]))

/** The files that are linted together with each example. */
const others = [
  { file: 'taken.yaml', text: wholeExample('playbook: taken\nalert_type: taken') },
  ...examplePlaybooks.map((text, index) => ({ file: `beside-${index}.yaml`, text })),
]

function codesOf(code: FindingCode, example: string): readonly string[] {
  const world = lintWorld(installed, code.startsWith('connection_') ? connections : null)
  const files = [...others, { file: 'example.yaml', text: wholeExample(example) }]
  return lintFiles(files, world).flatMap((found) => (found.file === 'example.yaml' ? [found.code] : []))
}

test.each(Object.keys(findingRegistry) as FindingCode[])('%s is found in its wrong example, and nothing in its right one', (code) => {
  const { wrong, right } = findingRegistry[code]
  expect([...new Set(codesOf(code, wrong))]).toEqual([code])
  expect(codesOf(code, right)).toEqual([])
})
