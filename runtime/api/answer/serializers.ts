import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type SerializerFactory = ReturnType<typeof SerializerSelector>

const factory = SerializerSelector()

/**
 * Makes the serializers of answers as Fastify does, but compiles each at its first answer. The API has many hundreds (one for each
 * status of each operation), and most are never used: compiling them all takes a second of CPU at each start.
 */
export const lazySerializers: SerializerFactory = (schemas, options) => {
  const compile = factory(schemas, options)
  return (route) => {
    let serialize: ReturnType<typeof compile> | null = null
    return (answer) => {
      serialize ??= compile(route)
      return serialize(answer)
    }
  }
}
