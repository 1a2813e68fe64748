/** What a failure of name resolution, connection or TLS means to a person. */
interface Cause {
  /** The system's error codes for it. */
  readonly codes: RegExp
  /** Names no host and no address. */
  readonly says: string
  /** Likely reasons and remedies, after a colon. */
  readonly details?: string
  /** Set if the connection was made and TLS failed. */
  readonly tls?: true
}

/** The first cause whose codes match counts. */
const causes: readonly Cause[] = [
  { codes: /^(ENOTFOUND|EAI_\w+|ENODATA)$/, says: 'The host name could not be resolved' },
  { codes: /^ECONNREFUSED$/, says: 'Nothing listens at the address, or a firewall refuses it' },
  {
    codes: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|UND_ERR_CONNECT_TIMEOUT)$/,
    says: 'Could not connect',
    details: 'a firewall, a proxy or the routing is in the way, or the host is down',
  },
  { codes: /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, says: 'The connection was cut' },
  { codes: /^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, says: 'The headers of the answer are larger than Tocsin reads' },
  { codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/, says: 'The certificate is for another host name', tls: true },
  { codes: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, says: 'The certificate is not valid now', tls: true },
  {
    codes: /^(CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
    says: 'No trusted CA has signed the certificate',
    details: 'it is self-signed, or belongs to a proxy that inspects TLS. TOCSIN_CA_FILE adds a CA',
    tls: true,
  },
  { codes: /^(EPROTO|ERR_SSL_\w+|ERR_TLS_\w+)$/, says: 'TLS failed', details: 'the other side does not speak it correctly', tls: true },
]

/** Returns null if the code means nothing to a person. */
export function causeOf(code: string): string | null {
  const cause = causes.find(({ codes }) => codes.test(code))
  if (!cause) return null
  return cause.details === undefined ? cause.says : `${cause.says}: ${cause.details}`
}

/**
 * Finds the TLS fault that the message of a failed request begins with. Returns it without hosts and
 * addresses, or null if something else failed.
 */
export function tlsFaultIn(message: string): string | null {
  return causes.find(({ tls, says }) => tls && message.startsWith(says))?.says ?? null
}
