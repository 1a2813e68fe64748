/** Node adds it to the message of some TLS failures. It is no advice for whoever runs an agent. */
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
