import type { Json } from '../../domain/index.ts'
import { any, type Environment, type Problem, type Type, typeOfSchema, typeOfValue } from './index.ts'
import { show } from './model/show.ts'

/** Returns an environment with these roots. */
export function world(roots: Readonly<Record<string, Type>>): Environment {
  return { root: (name) => roots[name] ?? any }
}

/** Returns an environment in which the value of each root is known. */
export function exactly(context: Readonly<Record<string, Json>>): Environment {
  return world(Object.fromEntries(Object.entries(context).map(([name, value]) => [name, typeOfValue(value)])))
}

/** Returns a type in short. `?`: it may be missing. `~`: nothing says whether it is there. */
export function short(type: Type): string {
  return `${show(type)}${type.absence === 'maybe' ? '?' : type.absence === 'unsaid' ? '~' : ''}`
}

/** Each problem as `code at@offset: message`. */
export function told({ problems }: { readonly problems: readonly Problem[] }): readonly string[] {
  return problems.map(({ code, at, offset, message }) => `${code} ${at.join('.')}@${offset}: ${message}`)
}

/** The schema of a user, as the skill of the sample playbooks returns it. */
const userSchema: Json = {
  type: 'object',
  required: ['status', 'devices', 'bypass', 'enabled'],
  properties: {
    status: { enum: ['ACTIVE', 'SUSPENDED', 'PENDING'] },
    bypass: { enum: ['enabled', 'disabled', 'unknown'] },
    enabled: { type: 'boolean' },
    email: { type: 'string', format: 'email' },
    lastLogin: { type: ['integer', 'null'] },
    score: { type: 'number' },
    role: { type: ['string', 'null'] },
    devices: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string' }, version: { type: ['string', 'number'] }, model: { type: 'string' }, seen: { type: 'integer' } },
      },
    },
    more: { type: ['object', 'null'], properties: { level: { type: 'integer' } } },
  },
}

export const user: Type = typeOfSchema(userSchema)
