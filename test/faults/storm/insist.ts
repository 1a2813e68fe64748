import { type Answer, Refused, request, type Target } from '../../../runtime/cli/client.ts'
import { isTocsinError } from '../../../runtime/errors/index.ts'
import { until } from '../../support/until.ts'

/** Sends a request again and again until it is answered: the store or the API may be away just now. @throws if it is refused for another reason */
export function insist(target: () => Target, method: string, path: string, body?: object): Promise<Answer> {
  return until(() => unlessAway(() => request(target(), method, path, body)))
}

/** Returns false if the store or the API is away. What was broken may take its time to come back. */
export async function unlessAway<T>(look: () => Promise<T>): Promise<T | false> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof Refused ? error.status === 503 : isTocsinError(error) && error.code === 'server_unreachable') return false
    throw error
  }
}
