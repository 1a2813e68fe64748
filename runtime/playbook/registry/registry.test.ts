import { expect, test } from 'vitest'
import type { Rule } from '../lint/rule.ts'
import { rules } from '../lint/rules/index.ts'
import { findingRegistry } from './registry.ts'

test('a code has one entry, even if several rules report it', () => {
  const entries: Readonly<Record<string, unknown>> = findingRegistry
  for (const { codes } of rules as readonly Rule[]) {
    for (const [code, entry] of Object.entries(codes)) expect(entry, code).toBe(entries[code])
  }
})
