import { expect, test } from 'vitest'
import { alertName } from './name.ts'

test.each([
  ['{"title":"Odd sign-in","name":"other"}', 'Odd sign-in'],
  ['{"rule":{"name":"Repeated pushes"}}', 'Repeated pushes'],
  ['{"rule_name":"R1"}', 'R1'],
  ['{"title":"  ","subject":"S"}', 'S'],
  ['{"title":7,"name":"N"}', 'N'],
])('the name of %s is %s', (content, name) => {
  expect(alertName(content, 'type', 'provider')).toBe(name)
})

test.each(['text', '["title"]', '{"title":', '{"__proto__":{"title":"x"}}', ''])(
  'the content %s has no name: the type stands for it, or the provider',
  (content) => {
    expect(alertName(content, 'type', 'provider')).toBe('type')
    expect(alertName(content, null, 'provider')).toBe('provider')
  },
)

test('a long name is cut', () => {
  expect(alertName(JSON.stringify({ title: 'x'.repeat(1_000) }), null, 'p')).toHaveLength(200)
})
