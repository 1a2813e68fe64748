/**
 * What a failure of name resolution, connection or TLS means to a person, by the system's error
 * code. The first row that matches counts.
 */
const causes: readonly (readonly [codes: RegExp, cause: string])[] = [
  [/^(ENOTFOUND|EAI_\w+|ENODATA)$/, 'The host name could not be resolved'],
  [/^ECONNREFUSED$/, 'Nothing listens at the address, or a firewall refuses it'],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|UND_ERR_CONNECT_TIMEOUT)$/,
    'Could not connect: a firewall, a proxy or the routing is in the way, or the host is down',
  ],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'The connection was cut'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'The certificate is for another host name'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'The certificate is not valid now'],
  [
    /^(CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
    'No trusted CA has signed the certificate: it is self-signed, or belongs to a proxy that inspects TLS. TOCSIN_CA_FILE adds a CA',
  ],
  [/^(EPROTO|ERR_SSL_\w+|ERR_TLS_\w+)$/, 'TLS failed: the other side does not speak it correctly'],
]

/** Returns null if the code means nothing to a person. */
export function causeOf(code: string): string | null {
  return causes.find(([codes]) => codes.test(code))?.[1] ?? null
}
