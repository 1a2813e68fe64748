import { type ClientHttp2Stream, constants } from 'node:http2'
import type { Clock } from '../../domain/index.ts'
import { RouteFailed } from '../../egress/index.ts'
import { AgentStream, type Traffic } from './agent-stream.ts'
import type { Answered } from './tunnel-client.ts'

/** Returns why an agent has not connected. Null: it has. */
export function failureOf({ headers }: Answered, name: string, target: string): RouteFailed | null {
  if (Number(headers[':status']) === 200) {
    if (/^\d{1,15}$/.test(String(headers['tocsin-clock']))) return null
    return new RouteFailed('network', `The remote agent ${name} does not speak this protocol.`)
  }
  // The text is the agent's. It is shown to people, so it is only letters and digits.
  const code = String(headers['tocsin-error'] ?? 'failed')
    .replace(/[^\w]/g, '')
    .slice(0, 64)
  if (code === 'not_allowed') return new RouteFailed('agent_refused', `The allow-list of the remote agent ${name} does not have ${target}.`)
  if (code === 'agent_offline') return offline(name)
  if (code === 'agent_busy') return new RouteFailed('agent_busy', `The remote agent ${name} carries as many connections as it may.`)
  return new RouteFailed('network', `The remote agent ${name} could not connect to ${target} (${code})`, code)
}

export function offline(name: string): RouteFailed {
  return new RouteFailed('agent_offline', `No remote agent with the name ${name} is connected.`)
}

/** Makes the connection that an answer has opened. */
export function streamOf({ stream, headers }: Answered, clock: Clock, traffic: Traffic): AgentStream {
  return new AgentStream(stream, Number(headers['tocsin-clock']), clock, traffic)
}

/** Gives up a stream that nobody will use. */
export function giveUp(stream: ClientHttp2Stream): void {
  stream.on('error', () => {})
  stream.close(constants.NGHTTP2_CANCEL)
}
