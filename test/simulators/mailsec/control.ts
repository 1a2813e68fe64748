import type { Reply } from '../faults.ts'
import type { SimulatedRequest } from '../server.ts'
import { type Failure, failureNames } from './failures.ts'
import { badRequest, notFound } from './replies.ts'
import type { MailsecSimulator } from './simulator.ts'
import type { Tenant } from './state.ts'
import { roles } from './vocabulary.ts'

/**
 * The switches and counters over HTTPS, for tests that run the simulator as a process. They are not
 * part of the simulated API.
 */
export function control(request: SimulatedRequest, simulator: MailsecSimulator, tenant: Tenant): Reply {
  const operation = `${request.method} ${request.path.slice('/_simulator/'.length)}`
  switch (operation) {
    case 'POST failures':
      return addFailure(request.body, simulator)
    case 'DELETE failures':
      simulator.faults.clear()
      return done({})
    case 'POST role':
      return setRole(request.body, simulator)
    case 'POST release':
      return done({ released: simulator.faults.release() })
    case 'GET counts':
      return done({ ...simulator.counts, holding: simulator.faults.holding, updates: Object.fromEntries(tenant.updates) })
    case 'GET exchanges':
      return done({ exchanges: simulator.exchanges.map(({ headers: _, ...exchange }) => exchange) })
    default:
      return notFound('control')
  }
}

function addFailure(body: string, simulator: MailsecSimulator): Reply {
  const failure = parsed<Failure>(body)
  if (failure === null || !failureNames.includes(failure.failure)) return badRequest(`failure must be one of ${failureNames.join(', ')}.`)
  simulator.fail(failure)
  return done({})
}

function setRole(body: string, simulator: MailsecSimulator): Reply {
  const wanted = parsed<{ role?: string }>(body)?.role
  const role = roles.find((known) => known === wanted)
  if (role === undefined) return badRequest(`role must be one of ${roles.join(', ')}.`)
  simulator.setRole(role)
  return done({})
}

function parsed<Body>(body: string): Body | null {
  try {
    return JSON.parse(body) as Body
  } catch {
    return null
  }
}

function done(value: object): Reply {
  return { status: 200, body: JSON.stringify(value) }
}
