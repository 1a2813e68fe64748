import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type AllowList, createAllowList } from './allow-list.ts'
import { machineAddresses } from './machine.ts'

/** The options of `tocsin agent run`. Each may also be an environment variable. */
export const agentOptions = {
  url: { variable: 'TOCSIN_URL', value: '<url>', help: 'the address of Tocsin, such as https://tocsin.example.com' },
  token: { variable: 'TOCSIN_AGENT_TOKEN', value: '<token>', help: 'the enrolment token; needed only until the agent is enrolled' },
  allow: { variable: 'TOCSIN_AGENT_ALLOW', value: '<list>', help: 'what it may connect to: host:port or CIDRs, separated by commas' },
  'key-file': { variable: 'TOCSIN_AGENT_KEY_FILE', value: '<file>', help: 'its key (default: ./tocsin-agent/key.pem, made at the first start)' },
  ca: { variable: 'TOCSIN_CA_FILE', value: '<file>', help: 'PEM file with extra certificates to trust' },
} as const

type OptionName = keyof typeof agentOptions

/** What an agent needs to run. */
export interface AgentSettings {
  readonly url: URL
  readonly token: string | null
  readonly allow: AllowList
  readonly keyFile: string
  readonly ca: readonly string[]
  readonly proxy: ProxyVariables
}

/** The way out, as Node takes it. */
export interface ProxyVariables {
  readonly HTTPS_PROXY?: string
  readonly NO_PROXY?: string
}

/** An option is missing or wrong. */
class OptionInvalid extends Error {
  override readonly name = 'OptionInvalid'
}

/**
 * Reads the options from arguments, else from the environment.
 * @throws OptionInvalid, EntryInvalid
 */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): AgentSettings {
  const given = argumentsOf(args)
  const option = (name: OptionName): string | null => given[name] || environment[agentOptions[name].variable] || null
  const allow = (option('allow') ?? '').split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()]))
  if (allow.length === 0) throw missing('allow', 'Without it, the agent could connect to nothing.')
  const caFile = option('ca')
  return {
    url: addressOf(option('url')),
    token: option('token'),
    allow: createAllowList(allow, machineAddresses),
    keyFile: option('key-file') ?? join('tocsin-agent', 'key.pem'),
    ca: caFile === null ? [] : [certificatesOf(caFile)],
    proxy: proxyOf(environment),
  }
}

function argumentsOf(args: readonly string[]): Readonly<Record<string, string | undefined>> {
  const options = Object.fromEntries(Object.keys(agentOptions).map((name) => [name, { type: 'string' as const }]))
  try {
    return parseArgs({ args: [...args], options }).values as Record<string, string>
  } catch (error) {
    const what = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
    throw new OptionInvalid(`${what}. The options are:\n${listed}`)
  }
}

const listed = Object.entries(agentOptions)
  .map(([name, { variable, value, help }]) => `  ${`--${name} ${value}`.padEnd(18)}  ${help} (${variable})`)
  .join('\n')

function addressOf(text: string | null): URL {
  if (text === null) throw missing('url', '')
  const url = URL.parse(text)
  if (url?.protocol === 'https:') return url
  // The tunnel itself must be secret on its way: who sees the sign-in could take part in it.
  const own = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url?.protocol === 'http:' && own) return url
  throw new OptionInvalid(`--url ${text} must begin with https://. Plain http:// works for this machine only.`)
}

function certificatesOf(file: string): string {
  const text = readFileSync(file, 'utf8')
  try {
    new X509Certificate(text)
    return text
  } catch {
    throw new OptionInvalid(`${file} has no certificate in PEM.`)
  }
}

/** Node connects around a proxy that it does not understand. The address may have a password, so the message does not repeat it. */
function proxyOf(environment: NodeJS.ProcessEnv): ProxyVariables {
  const either = (name: string): string | undefined => environment[name] || environment[name.toLowerCase()] || undefined
  const [HTTPS_PROXY, NO_PROXY] = [either('HTTPS_PROXY'), either('NO_PROXY')]
  if (HTTPS_PROXY !== undefined && !['http:', 'https:'].includes(URL.parse(HTTPS_PROXY)?.protocol ?? ''))
    throw new OptionInvalid('HTTPS_PROXY must be a URL that begins with http:// or https://, such as http://user:password@proxy.example.com:3128.')
  return { ...(HTTPS_PROXY !== undefined && { HTTPS_PROXY }), ...(NO_PROXY !== undefined && { NO_PROXY }) }
}

function missing(name: OptionName, why: string): OptionInvalid {
  return new OptionInvalid(`--${name} (or ${agentOptions[name].variable}) is missing. ${why} It is ${agentOptions[name].help}.`)
}
