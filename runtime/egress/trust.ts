import { getCACertificates, rootCertificates, setDefaultCACertificates } from 'node:tls'

/** Adds the system's certificates, because Node would use only those in `ca`. Null: there are no extra ones. */
export function trusted(ca: readonly string[]): readonly string[] | null {
  return ca.length > 0 ? [...rootCertificates, ...ca] : null
}

/**
 * Makes `fetch` in this process trust more authorities, in addition to those that Node trusts. Only the command line needs it, to call a Tocsin
 * whose certificate a private authority has signed.
 * @param ca in PEM
 */
export function trustAlso(ca: readonly string[]): void {
  setDefaultCACertificates([...getCACertificates('default'), ...ca])
}
