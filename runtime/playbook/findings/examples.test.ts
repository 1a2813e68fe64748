import { expect, test } from 'vitest'
import { loadPluginFolders } from '../../plugin/index.ts'
import { lintFiles, lintWorld } from '../lint/index.ts'
import { wholeExample } from './example.ts'
import { type FindingCode, findingRegistry } from './registry/index.ts'

const plugins = await loadPluginFolders([new URL('../../../plugins', import.meta.url).pathname])
const world = lintWorld(new Map(plugins.map((plugin) => [plugin.id, plugin])))

/** For what is wrong beside another file. */
const other = { file: 'taken.yaml', text: wholeExample('playbook: taken\nalert_type: taken') }

function codesOf(example: string): readonly string[] {
  const files = [other, { file: 'example.yaml', text: wholeExample(example) }]
  return lintFiles(files, world).flatMap(({ code, file }) => (file === other.file ? [] : [code]))
}

test.each(Object.keys(findingRegistry) as FindingCode[])('%s is found in its wrong example alone', (code) => {
  const { wrong, right } = findingRegistry[code]
  expect([...new Set(codesOf(wrong))]).toEqual([code])
  expect(codesOf(right)).toEqual([])
})
