import type { Reply } from '../faults.ts'
import type { Pki } from '../pki.ts'
import { type SimulatedRequest, type SimulatorServer, serveSimulator } from '../server.ts'
import { control } from './control.ts'
import { type Failure, ruleOf } from './failures.ts'
import type { Issue } from './records.ts'
import { headerMissing, htmlPage, noSuchEndpoint, unauthorized } from './replies.ts'
import { route } from './routes.ts'
import { seedOf } from './seed.ts'
import { Tenant } from './state.ts'
import type { Role } from './vocabulary.ts'

export type { Failure, FailureName } from './failures.ts'
export type { Issue } from './records.ts'
export { idOf } from './seed.ts'
export type { Role } from './vocabulary.ts'

export interface MailsecSettings {
  readonly pki: Pki
  /** The API token that is accepted. */
  readonly token: string
  /** Of the token's account; issue_responder unless given. */
  readonly role?: Role
  /** 0 or absent: any free one. */
  readonly port?: number
  /** Ordinary issues besides those of the story; 60 unless given. */
  readonly issues?: number
  /** How many of the last exchanges are kept for assertions; 1,000 unless given. */
  readonly remember?: number
}

/** The e-mail-security platform, simulated. README.md says what it imitates and from which source. */
export interface MailsecSimulator extends SimulatorServer {
  /** As it stands now. */
  issue(id: string): Issue | null
  issueNamed(name: string): Issue | null
  /** How often an issue was updated. */
  updatesOf(id: string): number
  /** Flips a failure switch. */
  fail(failure: Failure): void
  /** A role change affects existing tokens at once (specification 5). */
  setRole(role: Role): void
}

const secretHeader = 'x-vendor-client-secret'
const base = '/api/v1/'

export async function startMailsecSimulator(settings: MailsecSettings): Promise<MailsecSimulator> {
  const tenant = new Tenant(seedOf(settings.issues ?? 60))
  let role = settings.role ?? 'issue_responder'

  const answer = (request: SimulatedRequest): Reply => {
    if (request.path.startsWith('/_simulator/')) return control(request, simulator, tenant)
    if (!request.path.startsWith('/api/')) return htmlPage(404, 'Page not found')
    const secret = request.headers[secretHeader]
    if (secret === undefined) return headerMissing
    if (secret !== settings.token) return unauthorized
    if (!request.path.startsWith(base)) return noSuchEndpoint
    const segments = decoded(request.path.slice(base.length))
    if (!segments) return noSuchEndpoint
    return route({ request, tenant, role, segments, query: new URLSearchParams(request.query) }) ?? noSuchEndpoint
  }

  const server = await serveSimulator(answer, { pki: settings.pki, port: settings.port ?? 0, remember: settings.remember ?? 1000 })
  const simulator: MailsecSimulator = {
    ...server,
    issue: (id) => tenant.issue(id)?.value ?? null,
    issueNamed: (name) => tenant.issues.find((row) => row.value.name === name)?.value ?? null,
    updatesOf: (id) => tenant.updates.get(id) ?? 0,
    fail: (failure) => server.faults.add(ruleOf(failure)),
    setRole: (next) => {
      role = next
    },
  }
  return simulator
}

/** The segments of a path; null when one is empty or not well encoded. */
function decoded(path: string): readonly string[] | null {
  try {
    const segments = path.split('/').map(decodeURIComponent)
    return segments.includes('') ? null : segments
  } catch {
    return null
  }
}
