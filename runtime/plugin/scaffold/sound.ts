import type { Json } from '../../domain/index.ts'
import { compileSchema } from '../schema/schema.ts'
import { deadParts } from '../schema/schema-mistakes.ts'
import type { JsonObject } from './document.ts'

/**
 * Returns a schema of one value that Tocsin accepts: the given one, or what is left if its default, its values, or all of it contradicts itself.
 * Documents often have such mistakes, and nobody should have to correct them first.
 */
export function soundSchema(schema: JsonObject): JsonObject {
  const { default: _usual, ...plain } = schema
  const { enum: _values, ...open } = plain
  const about = schema['description']
  const last: JsonObject = about === undefined ? {} : { description: about }
  return [schema, plain, open].find(isSound) ?? last
}

function isSound(schema: JsonObject): boolean {
  const whole = { type: 'object', properties: { value: schema as Json } }
  if (deadParts(whole).length > 0) return false
  try {
    compileSchema(whole)
    return true
  } catch {
    return false
  }
}
