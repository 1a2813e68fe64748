import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/**
 * Makes `fetch` in this process trust more authorities, in addition to those that Node trusts. Only the command line needs it, to call a Tocsin
 * whose certificate a private authority has signed.
 * @param ca in PEM
 */
export function trustAlso(ca: readonly string[]): void {
  setDefaultCACertificates([...getCACertificates('default'), ...ca])
}
