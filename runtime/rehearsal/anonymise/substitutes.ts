import { hash } from 'node:crypto'
import ipaddr from 'ipaddr.js'

/** The kind of a text. Its substitute looks the same. */
export type Kind = 'email' | 'ip' | 'host' | 'person' | 'phone' | 'uuid' | 'opaque'

/** Makes substitutes. The same value always gets the same substitute, in the same format. */
export class Substitutes {
  readonly #made = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  readonly #kept: (text: string) => boolean

  /** @param kept tells whether a text must stay, because the playbook itself names it */
  constructor(kept: (text: string) => boolean) {
    this.#kept = kept
  }

  /** The substitutes, by the original in lower case. */
  get made(): ReadonlyMap<string, string> {
    return this.#made
  }

  add(original: string, kind: Kind): void {
    const key = original.toLowerCase()
    if (key === '' || this.#made.has(key) || this.#kept(original)) return
    this.#made.set(key, this.#make(key, kind))
  }

  #number(of: string): number {
    const number = (this.#counts.get(of) ?? 0) + 1
    this.#counts.set(of, number)
    return number
  }

  #make(key: string, kind: Kind): string {
    switch (kind) {
      case 'email': {
        const at = key.lastIndexOf('@')
        const host = key.slice(at + 1)
        this.add(host, 'host')
        return `person${this.#number('person')}@${this.#made.get(host) ?? host}`
      }
      case 'host':
        return this.#host(key)
      case 'ip':
        return this.#address(key)
      case 'person':
        return `person ${this.#number('name')}`
      case 'phone':
        return digits(key)
      case 'uuid':
        return `00000000-0000-4000-8000-${String(this.#number('uuid')).padStart(12, '0')}`
      case 'opaque':
        return like(key)
    }
  }

  /** A host below a host with a substitute stays below it. */
  #host(key: string): string {
    const above = key.split('.').slice(1).join('.')
    const known = this.#made.get(above)
    if (known !== undefined) return `host${this.#number('host')}.${known}`
    return `host${this.#number('host')}.example`
  }

  /**
   * Private addresses stay in their range. Others become addresses for documentation. Playbooks
   * distinguish them.
   */
  #address(key: string): string {
    const parsed = ipaddr.parse(key)
    const inside = privateRanges.has(parsed.range())
    const number = this.#number(`${parsed.kind()} ${inside}`)
    if (parsed.kind() === 'ipv6') return `${inside ? 'fd00' : '2001:db8'}::${number.toString(16)}`
    const low = `${Math.floor(number / 250)}.${(number % 250) + 1}`
    if (inside) return `${blockOf(key, parsed.range())}.${low}`
    return number < 250 ? `203.0.113.${number}` : `198.18.${low}`
  }
}

/** The ranges that the operator `is_private_ip` uses. */
const privateRanges: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'loopback', 'linkLocal', 'carrierGradeNat'])

/** Returns the first two parts of the addresses in the private range that an IPv4 address is in. */
function blockOf(address: string, range: string): string {
  if (range === 'loopback') return '127.0'
  if (range === 'linkLocal') return '169.254'
  if (range === 'carrierGradeNat') return '100.64'
  if (address.startsWith('192.')) return '192.168'
  return address.startsWith('172.') ? '172.16' : '10.0'
}

/** Replaces digits by digits. The same text gets the same result. */
function digits(text: string): string {
  const bytes = hash('sha256', `tocsin ${text}`, 'buffer')
  let index = 0
  return text.replaceAll(/\d/g, (digit, at: number) =>
    at === 0 && digit !== '0' ? String(1 + (byteAt(bytes, index++) % 9)) : String(byteAt(bytes, index++) % 10),
  )
}

/** Replaces letters by letters and digits by digits. Keeps the length. Hexadecimal texts stay hexadecimal. */
function like(text: string): string {
  const bytes = hash('sha256', `tocsin ${text}`, 'buffer')
  const hexadecimal = /^[0-9a-f-]+$/.test(text)
  let index = 0
  return text.replaceAll(/[a-z0-9]/g, (character) => {
    const byte = byteAt(bytes, index++)
    if (/\d/.test(character)) return String(byte % 10)
    return String.fromCharCode(97 + (byte % (hexadecimal ? 6 : 26)))
  })
}

function byteAt(bytes: Buffer, index: number): number {
  return bytes[index % hash.length] ?? 0
}
