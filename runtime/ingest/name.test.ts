import { expect, test } from 'vitest'
import { noTurns } from '../fairness/index.ts'
import { alertName } from './name.ts'

test.each([
  ['{"title":"Odd sign-in","name":"other"}', 'Odd sign-in'],
  ['{"rule":{"name":"Repeated pushes"}}', 'Repeated pushes'],
  ['{"rule_name":"R1"}', 'R1'],
  ['{"title":"  ","subject":"S"}', 'S'],
  ['{"title":7,"name":"N"}', 'N'],
  ['\ufeff{"title":"From a file"}', 'From a file'],
])('the name of %s is %s', (content, name) => {
  expect(alertName(content, 'type', 'provider', noTurns, 'acme')).toBe(name)
})

test.each(['text', '["title"]', '{"title":', '{"__proto__":{"title":"x"}}', ''])(
  'the content %s has no name, so the type or the provider is used',
  (content) => {
    expect(alertName(content, 'type', 'provider', noTurns, 'acme')).toBe('type')
    expect(alertName(content, null, 'provider', noTurns, 'acme')).toBe('provider')
  },
)

test('a long name is cut', () => {
  expect(alertName(JSON.stringify({ title: 'x'.repeat(1_000) }), null, 'p', noTurns, 'acme')).toHaveLength(200)
})

test('long content is searched in turns, and content with too many values has no name', async () => {
  const long = JSON.stringify({ list: Array.from({ length: 20_000 }, (_, at) => ({ at })), title: 'Odd sign-in' })
  expect(await alertName(long, 'type', 'p', noTurns, 'acme')).toBe('Odd sign-in')
  const bombs = [`{"a":[${'0,'.repeat(300_000)}0],"title":"x"}`, `{"a":${'['.repeat(400_000)}`, `{${'"title":"x",'.repeat(300_000)}"a":1}`]
  for (const bomb of bombs) expect(await alertName(bomb, 'type', 'p', noTurns, 'acme')).toBe('type')
})
