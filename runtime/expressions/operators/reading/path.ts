import type { Json } from '../../../domain/index.ts'
import { any, memberOf, moreAbsent, type Type } from '../../typing/model/index.ts'
import type { RuleUse, Scope } from '../../typing/rules/scope.ts'
import type { Meter } from '../../work.ts'
import { ofPart } from '../part.ts'

/** Reads a path through own properties and list indexes only. Undefined if any part of it is missing. */
export function lookUp(data: unknown, path: readonly string[]): Json | undefined {
  let value = data
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(part)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[part]
  }
  return value as Json | undefined
}

/** Returns the path in the argument of `var`. The empty path is the data itself. */
export function pathOf(key: Json): readonly string[] {
  return key === '' ? [] : String(key).split('.')
}

/** Returns the work of reading a path. */
export function ofPath(path: readonly string[]): number {
  return ofPart + 3 * path.length
}

/** Compiles a search for the paths that are missing, null or an empty text. */
export function compileMissing(keys: readonly Json[]): (data: unknown, meter: Meter) => Json[] {
  const paths = keys.map((key) => ({ key, path: pathOf(key) }))
  const work = paths.reduce((sum, { path }) => sum + ofPath(path), ofPart)
  return (data, meter) => {
    meter.charge(work)
    return paths
      .filter(({ path }) => {
        const value = lookUp(data, path)
        return value === undefined || value === null || value === ''
      })
      .map(({ key }) => key)
  }
}

/** Returns the type at a path. Reports members that are not there. */
export function typeOfPath(path: readonly string[], at: RuleUse['at'], { environment, item }: Scope, { tell }: Pick<RuleUse, 'tell'>): Type {
  if (path.length === 0) return item ?? any
  const [root = '', ...keys] = path
  if (item !== null) {
    const { fault } = memberOf(item, root, 'condition', 'the item')
    if (fault !== null) {
      tell(fault.code, at, `${fault.message} (inside a loop \`var\` reads from the item)`, fault.misspelt)
      return any
    }
  }
  let type = environment.root(root)
  let base = root
  for (const key of keys) {
    const member = memberOf(type, key, 'condition', base)
    if (member.fault !== null) tell(member.fault.code, at, member.fault.message, member.fault.misspelt, base.length + 1)
    type = { ...member.type, absence: moreAbsent(type.absence, member.type.absence) }
    base = `${base}.${key}`
  }
  return type
}
