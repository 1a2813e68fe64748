import type { Reply } from '../faults.ts'
import type { SimulatedRequest } from '../server.ts'
import type { Company } from './company.ts'
import { type Failure, failureNames } from './failures.ts'
import { badRequest, json, notFound } from './replies.ts'
import type { BrowserSimulator } from './simulator.ts'

/**
 * The switches and counters over HTTPS, for tests that run the simulator as a process. They are not
 * part of the simulated API.
 */
export function control(request: SimulatedRequest, simulator: BrowserSimulator, company: Company): Reply {
  const operation = `${request.method} ${request.path.slice('/_simulator/'.length)}`
  switch (operation) {
    case 'POST failures':
      return addFailure(request.body, simulator)
    case 'DELETE failures':
      simulator.faults.clear()
      return json({})
    case 'POST release':
      return json({ released: simulator.faults.release() })
    case 'GET counts':
      return json({ ...simulator.counts, holding: simulator.faults.holding, writesOf: Object.fromEntries(company.writes) })
    case 'GET exchanges':
      return json({ exchanges: simulator.exchanges.map(({ headers: _, ...exchange }) => exchange) })
    default:
      return notFound('control')
  }
}

function addFailure(body: string, simulator: BrowserSimulator): Reply {
  const failure = parsed(body)
  if (failure === null || !failureNames.includes(failure.failure)) return badRequest(`failure must be one of ${failureNames.join(', ')}.`)
  simulator.fail(failure)
  return json({})
}

function parsed(body: string): Failure | null {
  try {
    return JSON.parse(body) as Failure
  } catch {
    return null
  }
}
