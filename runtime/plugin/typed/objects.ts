import type { Json } from '../../domain/index.ts'
import * as typing from '../../expressions/typing/index.ts'
import { type DocumentPath, hint } from '../../yaml/index.ts'
import type { FaultPlaces } from '../manifest/fault-places.ts'

type Schema = { readonly [key: string]: Json }

/** Returns the type of a skill's input as its templates see it: with defaults filled in. */
export function inputType(schema: Schema): typing.Type {
  const { properties, required } = schema
  if (typeof properties !== 'object' || properties === null) return typing.typeOfSchema(schema)
  const filled = Object.entries(properties).flatMap(([name, one]) => (typeof one === 'object' && one !== null && 'default' in one ? [name] : []))
  if (filled.length === 0) return typing.typeOfSchema(schema)
  return typing.typeOfSchema({ ...schema, required: [...new Set([...(Array.isArray(required) ? (required as readonly Json[]) : []), ...filled])] })
}

/**
 * Reports the members of an object that can never fit the type: unknown, missing, or of another
 * type.
 * @param given the object as written, to report places
 * @param kind what a member is called, such as `an input of mailsec.get_issue`
 */
export function checkFits(given: Json, type: typing.Type, needed: typing.Type, path: DocumentPath, kind: string, places: FaultPlaces): void {
  const object = needed.object
  if (typeof given !== 'object' || given === null || Array.isArray(given) || object === null) {
    const whole = typing.fitOf(type, needed)
    if (whole.fits === 'never') places.add(path, [...whole.misfit.path, whole.misfit.message].join(' '))
    return
  }
  const names = [...object.fields.keys()]
  for (const name of Object.keys(given)) {
    const target = object.fields.get(name)
    if (target === undefined) {
      if (object.others !== 'open') places.add([...path, name], `\`${name}\` is not ${kind}${hint(name, names)}`, 'key')
      continue
    }
    const made = type.object?.fields.get(name)
    const fit = made && typing.fitOf(made, target)
    if (fit?.fits === 'never') places.add([...path, name], `\`${[name, ...fit.misfit.path].join('.')}\` ${fit.misfit.message}`)
  }
  for (const [name, target] of object.fields)
    if (target.absence === 'no' && !Object.hasOwn(given, name)) places.add(path, `\`${name}\` is missing; it is required as ${kind}`)
}
