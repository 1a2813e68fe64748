import type { Reply } from '../faults.ts'
import type { SimulatedRequest } from '../server.ts'
import { type Failure, failureNames } from './failures.ts'
import type { AnswerForm, MfaSimulator } from './simulator.ts'

const forms: readonly AnswerForm[] = ['wrapped', 'bare', 'plain', 'wrong_signature', 'other_organization']

/**
 * The switches and counters over HTTPS, for tests that run the simulator as a process. They are not
 * part of the simulated API.
 */
export function control(request: SimulatedRequest, simulator: MfaSimulator): Reply {
  const done = (value: object): Reply => ({ status: 200, body: JSON.stringify(value) })
  const body = parsed(request.body)
  switch (`${request.method} ${request.path.slice('/_simulator/'.length)}`) {
    case 'POST failures':
      if (!failureNames.some((name) => name === body['failure'])) return refused(`failure must be one of ${failureNames.join(', ')}`)
      simulator.fail(body as unknown as Failure)
      return done({})
    case 'POST form': {
      const form = forms.find((known) => known === body['form'])
      if (!form) return refused(`form must be one of ${forms.join(', ')}`)
      simulator.answerAs(form)
      return done({})
    }
    case 'POST reset':
      simulator.reset()
      return done({})
    case 'DELETE failures':
      simulator.faults.clear()
      return done({})
    case 'POST release':
      return done({ released: simulator.faults.release() })
    case 'GET counts':
      return done({ ...simulator.counts, holding: simulator.faults.holding })
    default:
      return refused('no such control')
  }
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
