import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bits, integer, octets, oid, sequence, set, tagged, taggedBytes, time, truth, utcTime, utf8 } from './der.ts'

/**
 * A certificate authority and a server certificate for this machine, all in PEM. Only for tests,
 * demo and bench.
 */
export interface Pki {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'))
/** Valid from 2020 to 2099, so that nothing depends on today's date. */
const validity = sequence(utcTime('200101000000Z'), time('20991231235959Z'))

function name(commonName: string): Buffer {
  return sequence(set(sequence(oid('2.5.4.3'), utf8(commonName))))
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return critical ? sequence(oid(id), truth(), octets(value)) : sequence(oid(id), octets(value))
}

interface Party {
  readonly name: Buffer
  readonly spki: Buffer
  readonly keyId: Buffer
  readonly privateKey: KeyObject
}

function party(commonName: string): Party {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  return { name: name(commonName), spki, keyId: createHash('sha1').update(spki).digest(), privateKey }
}

function certificate(subject: Party, issuer: Party, extensions: readonly Buffer[]): string {
  const identifiers = [extension('2.5.29.14', false, octets(subject.keyId)), extension('2.5.29.35', false, sequence(taggedBytes(0, issuer.keyId)))]
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    issuer.name,
    validity,
    subject.name,
    subject.spki,
    tagged(3, sequence(...extensions, ...identifiers)),
  )
  const der = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, issuer.privateKey)))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

/** Makes a new authority and a certificate for `localhost`, `127.0.0.1` and `::1`. */
export function makePki(): Pki {
  const authority = party('Tocsin test authority')
  const server = party('localhost')
  const addresses = sequence(
    taggedBytes(2, Buffer.from('localhost')),
    taggedBytes(7, Buffer.from([127, 0, 0, 1])),
    taggedBytes(7, Buffer.concat([Buffer.alloc(15), Buffer.from([1])])),
  )
  return {
    ca: certificate(authority, authority, [
      extension('2.5.29.19', true, sequence(truth())),
      // keyCertSign, cRLSign
      extension('2.5.29.15', true, bits(Buffer.from([0x06]), 1)),
    ]),
    cert: certificate(server, authority, [
      extension('2.5.29.19', true, sequence()),
      // digitalSignature
      extension('2.5.29.15', true, bits(Buffer.from([0x80]), 7)),
      // serverAuth
      extension('2.5.29.37', false, sequence(oid('1.3.6.1.5.5.7.3.1'))),
      extension('2.5.29.17', false, addresses),
    ]),
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Returns the file with the authority's certificate, as `openPki` stores it. TOCSIN_CA_FILE names it. */
export function caFile(folder: string): string {
  return join(folder, 'ca.pem')
}

/** Returns the PKI in a folder (`ca.pem`, `server.pem`, `server.key`). Makes it if it is not there. */
export function openPki(folder: string): Pki {
  const paths = { ca: caFile(folder), cert: join(folder, 'server.pem'), key: join(folder, 'server.key') }
  if (!Object.values(paths).every((path) => existsSync(path))) {
    const made = makePki()
    mkdirSync(folder, { recursive: true })
    writeFileSync(paths.key, made.key, { mode: 0o600 })
    writeFileSync(paths.cert, made.cert)
    writeFileSync(paths.ca, made.ca)
  }
  return { ca: readFileSync(paths.ca, 'utf8'), cert: readFileSync(paths.cert, 'utf8'), key: readFileSync(paths.key, 'utf8') }
}
