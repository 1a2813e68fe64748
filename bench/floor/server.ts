import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { alertIn, type FloorAlert } from './alert.ts'

/** What the server asks of the rest of a floor. */
export interface Taken {
  /** Resolves when the alert is on the disk and its run will happen. */
  take(alert: FloorAlert): Promise<void>
  /** Resolves when the run has ended. Call it before `take`. */
  ended(id: string): Promise<void>
  /** How many runs have not ended. */
  readonly open: number
  close(): Promise<void>
}

/** Answers the few requests of Tocsin's API that the load generator makes. */
export function floorServer(taken: Taken): Server {
  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (message.method === 'GET') return send(response, { items: taken.open > 0 ? [{}] : [] })
    const alert = alertIn(await text(message))
    const ended = message.headers.prefer === undefined ? null : taken.ended(alert.id)
    await taken.take(alert)
    await ended
    // Tocsin's numbers for "created" and "done".
    send(response, { alert_id: alert.id, alert_uuid: alert.id, investigation_status: ended ? 15 : 1 })
  }
  return createServer({ keepAliveTimeout: 120_000 }, (message, response) => {
    answer(message, response).catch((error: unknown) => response.writeHead(500).end(JSON.stringify({ error: String(error) })))
  })
}

function send(response: ServerResponse, value: object): void {
  const body = JSON.stringify(value)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}
