import { expect, test } from 'vitest'
import { answering } from './answering.ts'

test('a handler with little memory survives hundreds of calls in one isolate', async () => {
  const call = await answering('mailsec')
  const failures = new Set<string>()
  for (let number = 0; number < 250; number += 1) {
    const { result } = await call('get_mailsec_trusted_entities', {}, () => ({ body: { items: [{ id: 'a' }] } }))
    if (!result.ok) failures.add(`call ${number}: ${result.failure.code}`)
  }
  expect([...failures]).toEqual([])
})
