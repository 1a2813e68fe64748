import { expect, it } from 'vitest'
import { parseYaml } from '../index.ts'

const text = `# comment
playbook: x
steps:
  - id: first
    with: { user: 'it''s {{ a }}', b: "q {{ b }}" }
  - id: second
    script: |
      one
        two {{ c }}
    folded: >
      three
      {{ d }}
`
const document = parseYaml(text, 'p.yaml')

it('gives the place of a value, from 1', () => {
  expect(document.locate(['playbook'])).toEqual({ file: 'p.yaml', line: 2, column: 11 })
  expect(document.locate(['steps', 1, 'id'])).toEqual({ file: 'p.yaml', line: 6, column: 9 })
  // As in a JSON pointer.
  expect(document.locate(['steps', '1', 'id'])).toEqual({ file: 'p.yaml', line: 6, column: 9 })
})

it('gives the place of a key', () => {
  expect(document.locate(['steps', 0, 'with'], 'key')).toEqual({ file: 'p.yaml', line: 5, column: 5 })
})

it('gives the place of the nearest ancestor if nothing is at a path', () => {
  expect(document.locate(['steps', 0, 'skill'])).toEqual({ file: 'p.yaml', line: 4, column: 5 })
  expect(document.locate(['steps', 0, 'skill'], 'key')).toEqual({ file: 'p.yaml', line: 4, column: 5 })
})

it('finds the character inside plain, quoted and block text', () => {
  const at = (path: (string | number)[], mark: string) => {
    const value = path.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document.value)
    const { line, column } = document.locateInside(path, String(value).indexOf(mark))
    return text.split('\n')[line - 1]?.slice(column - 1, column - 1 + mark.length)
  }
  expect(at(['steps', 0, 'with', 'user'], '{{ a')).toBe('{{ a')
  expect(at(['steps', 0, 'with', 'b'], '{{ b')).toBe('{{ b')
  expect(at(['steps', 1, 'script'], '{{ c')).toBe('{{ c')
  expect(at(['steps', 1, 'id'], 'cond')).toBe('cond')
})

it('gives the start of a folded text, because its characters have no places of their own', () => {
  expect(document.locateInside(['steps', 1, 'folded'], 8)).toEqual(document.locate(['steps', 1, 'folded']))
})

it('counts lines that end in CR LF', () => {
  expect(parseYaml('a: 1\r\nb: 2\r\n', 'x').locate(['b'])).toEqual({ file: 'x', line: 2, column: 4 })
})
