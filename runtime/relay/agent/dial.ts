import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import { WebSocket } from 'ws'
import { greetingTime, largestMessage, protocol, tunnelPath } from '../link/index.ts'
import type { ProxyVariables } from './options.ts'

/** How an agent reaches the platform. */
export interface Dialing {
  /** The address of Tocsin. Plain HTTP only for this machine. */
  readonly url: URL
  /** Certificates (PEM) to trust in addition to the usual ones. */
  readonly ca: readonly string[]
  readonly proxy: ProxyVariables
}

/** Made once for all connections: otherwise each reads all certificates again, and keeps them, which is more than 1 MB. */
function trusting(ca: readonly string[]): SecureContext {
  return createSecureContext(ca.length > 0 ? { ca: [...rootCertificates, ...ca] } : {})
}

/** Returns how to open a WebSocket to the platform, through the proxy if there is one. The agent keeps its certificates for all of them. */
export function dialer({ url, ca, proxy }: Dialing): () => WebSocket {
  const common = { keepAlive: false, proxyEnv: { ...proxy } }
  const agent = url.protocol === 'https:' ? new HttpsAgent({ ...common, secureContext: trusting(ca) }) : new HttpAgent(common)
  const address = new URL(tunnelPath, url)
  address.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return () =>
    new WebSocket(address, [protocol], {
      agent,
      perMessageDeflate: false,
      maxPayload: largestMessage,
      handshakeTimeout: greetingTime,
      followRedirects: false,
      // Masks protect proxies from bytes that a web page chose. Nobody between the two ends of TLS sees these, and masking them in JavaScript
      // would take three quarters of the agent's time.
      generateMask: (mask) => void mask.fill(0),
    })
}
