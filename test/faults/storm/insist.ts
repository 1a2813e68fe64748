import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { until } from '../../support/until.ts'

/** Sends a request again and again until it is answered: something may be broken just now. */
export function insist(target: () => Target, method: string, path: string, body?: object): Promise<Answer> {
  return until(() => request(target(), method, path, body).catch(() => null))
}
