import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { playbookTestSchema } from './grammar.ts'

test('the schema is JSON Schema 2020-12 that any validator can read', () => {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  expect(ajv.validateSchema(JSON.parse(JSON.stringify(playbookTestSchema)))).toBe(true)
  const check = ajv.compile(JSON.parse(JSON.stringify(playbookTestSchema)))
  const file = { format: 1, playbook: 'a', tests: [{ name: 'b', alert: { content: {} }, expect: {} }] }
  expect(check(file)).toBe(true)
  expect(check({ ...file, more: 1 })).toBe(false)
})

/** Yields every object schema that names properties. */
function* closedObjects(schema: unknown, path: string): Generator<[string, Record<string, unknown>]> {
  if (typeof schema !== 'object' || schema === null) return
  const own = schema as Record<string, unknown>
  if (own['type'] === 'object' && 'properties' in own) yield [path, own]
  for (const [key, value] of Object.entries(own)) yield* closedObjects(value, `${path}/${key}`)
}

test('refuses unknown keys everywhere, and describes every key for editors', () => {
  const objects = [...closedObjects(playbookTestSchema, '#')]
  expect(objects.length).toBeGreaterThan(8)
  expect(objects.filter(([, own]) => own['additionalProperties'] !== false).map(([path]) => path)).toEqual([])
  const bare = objects.flatMap(([path, own]) =>
    Object.entries(own['properties'] as Record<string, { readonly description?: string }>).flatMap(([key, value]) =>
      value.description || path.endsWith('contains') ? [] : [`${path}/${key}`],
    ),
  )
  expect(bare).toEqual([])
})
