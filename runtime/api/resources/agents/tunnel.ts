import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'
import { tunnelPath } from '../../../relay/index.ts'
import type { Api, ApiContext } from '../../context.ts'

/** Returns whether a request with an Upgrade header wants to open a tunnel. */
export function isTunnel({ url, headers }: IncomingMessage): boolean {
  return url?.split('?')[0] === tunnelPath && headers.upgrade?.toLowerCase() === 'websocket'
}

/** Hands the connections of agents to the relay. It lets them in: an agent has no API key, but a key of its own. */
export function agentTunnel(app: Api, { services }: ApiContext): void {
  // Fastify makes no request of it, so `request.ip` is worked out here, by the same rule.
  const trusted = proxyAddr.compile([...services.trustedProxies])
  const addressOf = (request: IncomingMessage): string => {
    const told = proxyAddr(request, trusted)
    return ipaddr.isValid(told) ? told : (request.socket.remoteAddress ?? '')
  }
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    services.relay.receive(request, socket, head, addressOf(request)),
  )
}
