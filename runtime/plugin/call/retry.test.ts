import { expect, test } from 'vitest'
import type { RetryRule } from '../types.ts'
import type { CallFailure } from './call-result.ts'
import { nextDelay } from './retry.ts'

const rule: RetryRule = { attempts: 4, backoff: 'exponential', delay: 1_000, maxDelay: 3_000, on: ['network'] }
const failure: CallFailure = { code: 'network', message: '', remedy: null, retryAfter: null }

test('delays grow to their limit, vary by a quarter, and are the same every time', () => {
  const delays = [1, 2, 3].map((tries) => nextDelay(rule, failure, tries, 'key') ?? 0)
  for (const [index, base] of [1_000, 2_000, 3_000].entries()) {
    expect(delays[index]).toBeGreaterThanOrEqual(base * 0.75)
    expect(delays[index]).toBeLessThanOrEqual(base * 1.25)
  }
  expect(nextDelay(rule, failure, 1, 'key')).toBe(delays[0])
})

test('there is no further try after the last, nor for a code that is not listed', () => {
  expect(nextDelay(rule, failure, 4, 'key')).toBeNull()
  expect(nextDelay(rule, { ...failure, code: 'credentials_rejected' }, 1, 'key')).toBeNull()
})

test('a vendor that asks for a longer wait is obeyed', () => {
  expect(nextDelay(rule, { ...failure, retryAfter: 60 }, 1, 'key')).toBe(60_000)
})
