import type { Effect, Json } from '../../../../domain/index.ts'
import { TocsinError } from '../../../../errors/index.ts'
import type { Plan } from '../../../../playbook/index.ts'
import { type Asked, type Given, slotsOf } from '../../../../rehearsal/index.ts'
import { type Answer, findTarget, type Reach, request } from '../../../client.ts'
import { connectionPath, findConnection } from '../../../find-connection.ts'

export interface ReadOptions extends Reach {
  readonly connection: readonly string[]
  readonly organization?: string
}

/**
 * Makes the function that sends reads over the connections of a running Tocsin, one connection for each slot.
 * @returns the function; it answers null for a call that does more than read
 * @throws TocsinError `config_invalid` if a slot has no connection
 */
export function liveReads(plan: Plan, { connection, organization, ...options }: ReadOptions): (call: Asked) => Promise<Given | null> {
  const target = findTarget(options)
  const named = new Map(connection.filter((one) => one.includes('=')).map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]))
  const anywhere = connection.filter((one) => !one.includes('='))
  const slots = slotsOf(plan)
  const stranger = [...named.keys()].find((slot) => !Object.hasOwn(slots, slot))
  if (stranger !== undefined)
    throw new TocsinError('config_invalid', `--connection: ${plan.name} has no slot "${stranger}". Its slots are ${Object.keys(slots).join(', ')}`)
  const known = new Map<string, Promise<Answer>>()

  const find = async (slot: string, integration: string): Promise<Answer> => {
    const narrow = { integration, ...(organization !== undefined && { organization }) }
    const own = named.get(slot)
    if (own !== undefined) return findConnection(target, own, narrow)
    for (const name of anywhere) {
      try {
        return await findConnection(target, name, narrow)
      } catch (error) {
        if (!(error instanceof TocsinError) || error.code !== 'connection_unknown') throw error
      }
    }
    throw new TocsinError('config_invalid', `--reads: the slot ${slot} has no connection. Give --connection ${slot}=<instance>.`)
  }

  return async (call) => {
    if (call.impact !== 'read') return null
    const { connection: slot, plugin, input, skill } = call
    const found = known.get(slot) ?? find(slot, plugin.id)
    known.set(slot, found)
    return givenOf(await request(target, 'POST', `${connectionPath((await found)['id'])}/skills/${encodeURIComponent(skill)}`, { input }))
  }
}

function givenOf({ ok, output, code, message, effect }: Answer): Given {
  if (ok === true) return { kind: 'output', output: output as Json }
  return { kind: 'failed', code: String(code), message: String(message), effect: effect as Effect }
}
