import ipaddr from 'ipaddr.js'

/**
 * The kind of an observable: the word that a skill's input declares as `x-semantic`. Only its key
 * tells what an id identifies, so every `<thing>_id` is a kind of its own.
 */
export type ObservableKind = string

/** The severity that the source gives the alert. It is not looked up; it adds points. */
export const severityKind = 'severity'

const email = /^[A-Za-z0-9._%+'-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}$/
const hash = /^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{64}|[0-9a-fA-F]{128})$/
const host = /^(?=.{4,253}$)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}$/
const plainWord = /^[^\s@<>"'{}]{1,100}$/
const severity = /^(?:info|informational|low|medium|moderate|high|severe|critical)$/i

const severityKeys = /(?:^|_)(?:severity|priority|risk|risk_level|urgency)$/
const domainKeys = /(?:^|_)(?:domain|fqdn|hostname|host)$/
const userKeys = /(?:^|_)(?:user|username|user_name|login|account|account_name|upn|sam_account_name|actor|employee|principal)$/
const idKeys = /(?:^|_)((?:message|issue|case|user|device|account|record|employee|app|browser|detection|finding|report|tenant|search)_id)$/

/** Returns the kind of a value, judged by its key and its format. Null if no skill could look it up. */
export function kindOf(key: string, value: string): ObservableKind | null {
  if (email.test(value)) return 'email_address'
  if (isAddress(value)) return 'ip_address'
  if (/^https?:\/\/[^\s]+$/i.test(value) && value.length <= 2_000 && URL.canParse(value)) return 'url'
  if (severityKeys.test(key) && severity.test(value)) return severityKind
  const id = idKeys.exec(key)?.[1]
  if (id !== undefined) return value.length <= 500 && !/[\s{}]/.test(value) ? id : null
  if (hash.test(value)) return 'file_hash'
  if (domainKeys.test(key) && host.test(value)) return 'domain'
  return userKeys.test(key) && plainWord.test(value) ? 'user_name' : null
}

function isAddress(value: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(value) || (value.includes(':') && value.length <= 45 && ipaddr.IPv6.isValid(value))
}

/**
 * Tells whether an input with this `x-semantic` takes an observable of this kind. It does if the
 * words are equal, if the semantic is an integration's own form of the id (`mailsec_issue_id`), or
 * if it wants a user name and gets an e-mail address.
 */
export function accepts(semantic: string, kind: ObservableKind): boolean {
  return semantic === kind || (kind.endsWith('_id') && semantic.endsWith(`_${kind}`)) || (semantic === 'user_name' && kind === 'email_address')
}

/** Returns the JSON Schema format of a kind. Null if inputs have no format for it. */
export function formatOf(kind: ObservableKind): 'email' | 'ip' | 'uri' | null {
  return kind === 'email_address' ? 'email' : kind === 'ip_address' ? 'ip' : kind === 'url' ? 'uri' : null
}

/**
 * Turns `messageId`, `Message-ID` and `message.id` into `message_id`. Used to compare keys and to
 * name inputs.
 */
export function snake(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()
}

/** Returns the plural of a kind, as the name of a variable. */
export function plural(kind: ObservableKind): string {
  return /(?:s|sh)$/.test(kind) ? `${kind}es` : kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`
}

/** Returns the singular of a key: `recipient` for `recipients`. */
export function singular(key: string): string {
  return /(?:ses|ss|us|shes)$/.test(key) ? key.replace(/(address|hash)es$/, '$1') : key.replace(/s$/, '')
}
