import type { Reply } from '../faults.ts'
import type { SimulatedRequest } from '../server.ts'
import { type Failure, failureNames } from './failures.ts'
import { tokenPolicies } from './session.ts'
import type { CrmSimulator } from './simulator.ts'

/**
 * The switches and counters over HTTPS, for tests that run the simulator as a process. They are not
 * part of the simulated API.
 */
export function control(request: SimulatedRequest, simulator: CrmSimulator): Reply {
  const body = parsed(request.body)
  switch (`${request.method} ${request.path.slice('/_simulator/'.length)}`) {
    case 'POST failures':
      if (!failureNames.some((name) => name === body['failure'])) return refused(`failure must be one of ${failureNames.join(', ')}`)
      simulator.fail(body as unknown as Failure)
      return done({})
    case 'DELETE failures':
      simulator.faults.clear()
      return done({})
    case 'POST release':
      return done({ released: simulator.faults.release() })
    case 'POST expire-tokens':
      simulator.expireTokens()
      return done({})
    case 'POST token': {
      const policy = body['policy'] ?? null
      const known = tokenPolicies.find((name) => name === policy) ?? null
      if (known !== policy) return refused(`policy must be null or one of ${tokenPolicies.join(', ')}`)
      simulator.setTokenPolicy(known)
      simulator.setUnfitTokens(body['unfit'] === true)
      simulator.setInstanceUrl(typeof body['instance_url'] === 'string' ? body['instance_url'] : null)
      if (typeof body['secret'] === 'string') simulator.rotateSecret(body['secret'])
      return done({})
    }
    case 'POST behaviour': {
      const { log_size: logSize, batch, child_batch: childBatch, ungroupable } = body
      simulator.behave({
        ...((typeof logSize === 'number' || logSize === null) && { logSize }),
        ...(typeof batch === 'number' && { batch }),
        ...(typeof childBatch === 'number' && { childBatch }),
        ...(Array.isArray(ungroupable) && { ungroupable: new Set(ungroupable.map(String)) }),
      })
      return done({})
    }
    case 'POST reset':
      simulator.reset()
      return done({})
    case 'GET counts':
      return done({ ...simulator.counts, holding: simulator.faults.holding, tokens: simulator.tokens })
    case 'GET exchanges':
      return done({ exchanges: simulator.exchanges.map(({ headers: _, body: __, ...exchange }) => exchange) })
    default:
      return refused('no such control')
  }
}

function done(value: object): Reply {
  return { status: 200, body: JSON.stringify(value) }
}

function refused(message: string): Reply {
  return { status: 400, body: JSON.stringify({ message }) }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
