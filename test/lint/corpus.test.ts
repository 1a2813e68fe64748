import { describe, expect, test } from 'vitest'
import { applyFixes, findingRegistry, lintFiles } from '../../runtime/playbook/authoring/index.ts'
import type { Finding, FindingCode } from '../../runtime/playbook/index.ts'
import { seededMistakes } from './cases.ts'
import { connected, others, world } from './world.ts'

const mistakes = seededMistakes()
function lint(text: string, codes: readonly FindingCode[]): readonly Finding[] {
  const found = lintFiles([...others, { file: 'example.yaml', text }], codes.some((code) => code.startsWith('connection_')) ? connected : world)
  return found.filter(({ file }) => file === 'example.yaml')
}

for (const [file, cases] of mistakes) {
  describe(file, () => {
    test.each(cases)('$name', ({ codes, says, text, places, fixed }) => {
      const found = lint(text, codes)
      expect(found.map(({ code, line, column }) => `${line}:${column} ${code}`)).toEqual(
        places.map(({ line, column }, index) => `${line}:${column} ${codes[index] ?? codes.at(-1)}`),
      )
      const messages = found.map(({ message }) => message).join('\n')
      for (const part of says) expect(messages).toContain(part)
      const after = applyFixes(text, (current) => lint(current, codes)).text
      expect(after).toBe(fixed)
    })
  })
}

test('the corpus has at least 170 mistakes, and at least one of every code', () => {
  const all = [...mistakes.values()].flat()
  expect(all.length).toBeGreaterThanOrEqual(170)
  const codes = new Set(all.flatMap(({ codes }) => codes))
  expect((Object.keys(findingRegistry) as FindingCode[]).filter((code) => !codes.has(code))).toEqual([])
})
