import { Agent as HttpAgent, type IncomingMessage } from 'node:http'
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

/** Statuses with which servers and proxies say that they redirect. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Says what it means that the platform, or something on the way, gave an ordinary answer in place of a WebSocket.
 * Shows no more than the origin of a redirect: the rest of the address may have a secret.
 */
export function insteadOfTunnel({ statusCode = 0, statusMessage = '', headers }: IncomingMessage): string {
  const status = `${statusCode} ${statusMessage}`.trim()
  if (redirects.has(statusCode)) {
    const to = URL.parse(headers.location ?? '', 'https://the-same.invalid')?.host
    const where = to === undefined || to === 'the-same.invalid' ? 'elsewhere' : `to ${to}`
    return `It was redirected ${where} (${status}), which the agent does not follow. --url must lead to Tocsin itself, without a sign-in page on the way`
  }
  if (statusCode >= 500) return `The answer was ${status}. Tocsin, or a proxy in front of it, is not ready`
  return `The answer was ${status}, and no WebSocket. --url must lead to Tocsin, and every proxy on the way must let WebSockets through`
}

/** The advice that Node adds to some TLS failures. It does not help whoever runs an agent. */
const adviceOfNode = /; if the root CA is installed locally.*$/s

/** Failures of TLS that a person can do something about: the codes of Node, and what to say. */
const remedies: readonly (readonly [codes: RegExp, says: string])[] = [
  [
    /^(UNABLE_TO_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
    'No trusted CA has signed the certificate of the platform, or of a proxy that inspects TLS: --ca adds a CA',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'The certificate is for another host name than that of --url'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'The certificate is not valid now, by the clock of this machine'],
  [/^(EPROTO|ERR_SSL_\w+)$/, 'The other side does not speak TLS: check --url'],
]

/** Says why the platform could not be reached, on one line. */
export function reasonOf(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replace(adviceOfNode, '').replace(/\s+/g, ' ').trim()
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const says = remedies.find(([codes]) => codes.test(code))?.[1]
  return says === undefined ? message : `${says}: ${message} (${code})`
}
