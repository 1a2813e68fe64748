import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { registry } from './index.ts'
import { renderErrorReference } from './reference.ts'

test('docs/reference/errors.md is what the registry says (node runtime/errors/reference-write.ts)', () => {
  expect(readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8')).toBe(renderErrorReference())
})

test('every code has a section, and every entry tells cause and remedy in whole sentences', () => {
  const text = renderErrorReference()
  for (const [code, entry] of Object.entries(registry)) {
    expect(code).toMatch(/^[a-z][a-z0-9_]*$/)
    expect(text).toContain(`\n## ${code}\n`)
    expect(entry.title).toMatch(/^[^.]+$/)
    expect(entry.cause).toMatch(/\.$/)
    expect(entry.remedy).toMatch(/\.$/)
    expect(entry.status).toBeGreaterThanOrEqual(400)
    expect(entry.status).toBeLessThan(600)
  }
})
