import { expect, test } from 'vitest'
import { isTocsinError } from '../../errors/index.ts'
import { loadPluginFolders } from '../../plugin/index.ts'
import { compilePlaybook } from '../compile.ts'
import { skillLookup } from '../library.ts'
import { wholeExample } from './example.ts'
import { type FindingCode, findingRegistry } from './registry/index.ts'

const plugins = await loadPluginFolders([new URL('../../../plugins', import.meta.url).pathname])
const lookup = skillLookup(new Map(plugins.map((plugin) => [plugin.id, plugin])))

function codesOf(example: string): readonly string[] {
  try {
    compilePlaybook(wholeExample(example), 'example.yaml', lookup)
    return []
  } catch (error) {
    if (!isTocsinError(error)) throw error
    return error.code === 'yaml_invalid' ? [error.code] : error.places.map(({ code }) => code ?? 'no code')
  }
}

test.each(Object.keys(findingRegistry) as FindingCode[])('%s is found in its wrong example alone', (code) => {
  const { wrong, right } = findingRegistry[code]
  expect([...new Set(codesOf(wrong))]).toEqual([code])
  expect(codesOf(right)).toEqual([])
})
