import { expect, test } from 'vitest'
import { withFewerFields } from './fewer-fields.ts'

const fields = ['Id', 'A', 'B.One', 'B.Two', 'C']
const optional = ['A', 'B.One', 'B.Two', 'C']
const refusal = (message: string, code = 'invalid_field'): Error => Object.assign(new Error(message), { code })

/** Refuses statements in turn, then records the fields of each try. */
async function tried(...refusals: readonly Error[]): Promise<readonly (readonly string[])[]> {
  const tries: (readonly string[])[] = []
  await withFewerFields(fields, optional, async (now) => {
    const error = refusals[tries.push(now) - 1]
    if (error) throw error
  })
  return tries
}

test.each<[string, readonly string[]]>([
  ["No such column 'C' on entity 'X'.", ['Id', 'A', 'B.One', 'B.Two']],
  ["SELECT Id, A, B.One ^ ERROR at Row:1 No such column 'A' on entity 'X'.", ['Id', 'B.One', 'B.Two', 'C']],
  ["No such column 'B.Two' on entity 'X'.", ['Id', 'A', 'B.One', 'C']],
  ["No such column 'One' on entity 'User'.", ['Id', 'A', 'B.Two', 'C']],
  ["Didn't understand relationship 'B' in field path.", ['Id', 'A', 'C']],
  ['something is not there', ['Id']],
])('%s: the statement is run without what it names', async (message, left) => {
  expect(await tried(refusal(message))).toEqual([fields, left])
})

test('one after the other, until nothing is left that could be left out', async () => {
  expect(await tried(refusal("'A'"), refusal("'C'", 'malformed_query'))).toEqual([fields, ['Id', 'B.One', 'B.Two', 'C'], ['Id', 'B.One', 'B.Two']])
  await expect(tried(refusal('x'), refusal('y'))).rejects.toThrow('y')
})

test('any other error is an error', async () => {
  await expect(tried(refusal("'A'", 'rate_limited'))).rejects.toThrow("'A'")
})
