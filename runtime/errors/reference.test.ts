import { expect, test } from 'vitest'
import { registry } from './index.ts'
import { renderErrorReference } from './reference.ts'

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
