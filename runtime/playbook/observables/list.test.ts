import { describe, expect, test } from 'vitest'
import { listObservables } from './list.ts'

const found = (content: unknown): string[] =>
  listObservables(typeof content === 'string' ? content : JSON.stringify(content)).items.map(({ kind, value }) => `${kind} ${value}`)

describe('in JSON', () => {
  test('values are told by key and format, each once, with their places', () => {
    const content = { actor: 'ana', source: { ip: '203.0.113.9' }, peer: { ip: '203.0.113.9' }, mail: { from: 'eve@evil.example' } }
    expect(listObservables(JSON.stringify(content))).toEqual({
      items: [
        { kind: 'user_name', value: 'ana', places: ['actor'] },
        { kind: 'ip_address', value: '203.0.113.9', places: ['source.ip', 'peer.ip'] },
        { kind: 'email_address', value: 'eve@evil.example', places: ['mail.from'] },
      ],
      more: false,
    })
  })

  test('every item of a list, and values inside texts, but no severity', () => {
    const links = [1, 2, 3, 4, 5].map((index) => `https://evil.example/${index}`)
    expect(found({ links, severity: 'high', title: 'Mail from eve@evil.example\nvia 198.51.100.7 and 198.51.100.8' })).toEqual([
      ...links.map((link) => `url ${link}`),
      'email_address eve@evil.example',
      'ip_address 198.51.100.7',
      'ip_address 198.51.100.8',
    ])
  })
})

describe('in text', () => {
  test('values after keys, and all that look like one', () => {
    expect(found('user=ana src=10.0.0.1 dst=10.0.0.2 mail eve@evil.example, bob@evil.example')).toEqual([
      'user_name ana',
      'ip_address 10.0.0.1',
      'ip_address 10.0.0.2',
      'email_address eve@evil.example',
      'email_address bob@evil.example',
    ])
  })

  test('nothing in empty or odd content', () => {
    for (const content of ['', 'x', '42', 'null', '{"broken": ', 'a'.repeat(100_000)]) expect(found(content)).toEqual([])
  })
})

test('at most 100 are listed, and it says so if there are more', () => {
  const { items, more } = listObservables(
    JSON.stringify(Array.from({ length: 120 }, (_, index) => ({ ip: `10.0.0.${index}`, url: `https://a.example/${index}` }))),
  )
  expect(items).toHaveLength(100)
  expect(more).toBe(true)
})
