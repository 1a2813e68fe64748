import type { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { jsonStringify } from '../../packages/index.ts'

type SerializerFactory = ReturnType<typeof SerializerSelector>

/**
 * Makes the serializers of answers as Fastify does, but compiles each at its first answer. The API has many hundreds (one for each
 * status of each operation), and most are never used: compiling them all takes a second of CPU at each start.
 */
export const lazySerializers: SerializerFactory = (schemas, options) => {
  let compile: ReturnType<SerializerFactory> | null = null
  return (route) => {
    let serialize: ReturnType<ReturnType<SerializerFactory>> | null = null
    return (answer) => {
      compile ??= jsonStringify().SerializerSelector()(schemas, options)
      serialize ??= compile(route)
      return serialize(answer)
    }
  }
}
