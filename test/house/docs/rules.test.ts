import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { aboutProcess, type Definition, ofInstallation, ofProcess } from '../../../runtime/metrics/definitions.ts'

/* The rules for Prometheus in docs/guides/running.md: a name that no process shows would never wake anybody. */

const page = readFileSync(new URL('../../../docs/guides/running.md', import.meta.url), 'utf8')
const rules = /```yaml\n# tocsin\.rules\.yml\n(.*?)```/s.exec(page)?.[1] ?? ''
const known: readonly Definition[] = [ofProcess, ofInstallation, aboutProcess].flatMap((group) => Object.values(group))

test('every metric of the rules exists', () => {
  const series = new Set(known.flatMap(({ name, kind }) => (kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name])))
  const used = [...new Set(rules.match(/tocsin_\w+/g))]
  expect(used.length).toBeGreaterThan(7)
  expect(used.filter((name) => !series.has(name))).toEqual([])
})

test('every label in a selector of the rules is one that its metric has', () => {
  const wrong = [...rules.matchAll(/(tocsin_\w+)\{(.*?)\}/g)].flatMap(([, name = '', selector = '']) => {
    const labels = known.find((each) => each.name === name.replace(/_count$/, ''))?.labels ?? []
    return [...selector.matchAll(/(\w+)(?:=|!)/g)].map(([, label = '']) => label).filter((label) => !labels.includes(label))
  })
  expect(wrong).toEqual([])
})

test('the page says what to do for each rule, and for nothing else', () => {
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const told = [...page.matchAll(/^\| `(Tocsin\w+)` \|/gm)].map(([, name]) => name)
  expect(told).toEqual(alerts)
})

test('every rule says in one line what is wrong', () => {
  const [, ...each] = rules.split('- alert: ')
  expect(each.filter((rule) => !/\n {8}annotations: \{ summary: ".+\." \}\n/.test(rule))).toEqual([])
})
