import type { Json } from '../domain/index.ts'

/** Matches a JSON pointer that leads to a part (RFC 6901): `/event/id`, `/alerts/0/name`. */
export const pointerPattern = '^(/([^~/]|~[01])*)+$'

/**
 * Returns the part of a value that a JSON pointer leads to (RFC 6901). Undefined if there is none.
 * @param pointer matches `pointerPattern`
 */
export function partAt(value: Json, pointer: string): Json | undefined {
  let part: Json | undefined = value
  for (const step of pointer.slice(1).split('/')) {
    if (typeof part !== 'object' || part === null) return undefined
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(part)) part = /^(0|[1-9]\d{0,9})$/.test(name) ? part[Number(name)] : undefined
    else part = Object.hasOwn(part, name) ? (part as Readonly<Record<string, Json>>)[name] : undefined
  }
  return part
}
