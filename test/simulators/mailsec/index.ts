import type { Reply } from '../faults.ts'
import type { Pki } from '../pki.ts'
import { type ServerSettings, type SimulatedRequest, serveSimulator } from '../server.ts'
import { control } from './control.ts'
import { ruleOf } from './failures.ts'
import type { IssueStory } from './issues/issue-story.ts'
import { betaNotEnabled, headerMissing, htmlPage, noSuchEndpoint, unauthorized } from './replies.ts'
import { answerOf } from './route.ts'
import { routes } from './routes.ts'
import type { SearchPace } from './searches/searches.ts'
import { seedOf } from './seed.ts'
import type { MailsecSimulator } from './simulator.ts'
import { Tenant } from './state.ts'
import type { Role } from './vocabulary.ts'

export type { IssueStory } from './issues/issue-story.ts'
export { caseIdOf } from './seed.ts'
export type { MailsecSimulator } from './simulator.ts'

export type { Role } from './vocabulary.ts'

export interface MailsecSettings {
  readonly pki: Pki
  /** The API token that is accepted. */
  readonly token: string
  /** The role of the token's account. Default: issue_responder. */
  readonly role?: Role
  /** 0 or absent: any free port. */
  readonly port?: number
  /** The number of ordinary issues, besides those of the story. Default: 60. */
  readonly issues?: number
  /** Issues that alerts mention, besides those of the story. */
  readonly stories?: readonly IssueStory[]
  /** How many of the last exchanges are kept for assertions. Default: 1,000. */
  readonly remember?: number
  /** Returns the milliseconds between the work and the answer. Absent: 0. */
  readonly answersAfter?: ServerSettings['answersAfter']
  /**
   * After how many reads a message search changes its state. Default: 1 pending, 1 running, 20
   * reads of the results.
   */
  readonly searches?: SearchPace
}

const secretHeader = 'x-vendor-client-secret'
const usualPace: SearchPace = { pending: 1, running: 1, done: 20 }

export async function startMailsecSimulator(settings: MailsecSettings): Promise<MailsecSimulator> {
  const tenant = new Tenant(seedOf(settings.issues ?? 60, settings.stories), settings.searches ?? usualPace)
  let role = settings.role ?? 'issue_responder'
  let beta = true

  const answer = (request: SimulatedRequest): Reply => {
    if (request.path.startsWith('/_simulator/')) return control(request, simulator, tenant)
    if (!request.path.startsWith('/api/')) return htmlPage(404, 'Page not found')
    const secret = request.headers[secretHeader]
    if (secret === undefined) return headerMissing
    if (secret !== settings.token) return unauthorized
    const base = Object.keys(routes).find((path) => request.path.startsWith(path))
    const segments = base === undefined ? null : decoded(request.path.slice(base.length))
    if (base === undefined || !segments) return noSuchEndpoint
    if (base === '/api/beta/' && !beta) return betaNotEnabled
    return answerOf(routes[base] ?? [], { request, tenant, role, segments, query: new URLSearchParams(request.query) }) ?? noSuchEndpoint
  }

  const server = await serveSimulator(answer, {
    pki: settings.pki,
    port: settings.port ?? 0,
    remember: settings.remember ?? 1000,
    ...(settings.answersAfter && { answersAfter: settings.answersAfter }),
  })
  const simulator: MailsecSimulator = {
    ...server,
    issue: (id) => tenant.issue(id)?.value ?? null,
    issueNamed: (name) => tenant.issues.find((row) => row.value.name === name)?.value ?? null,
    updatesOf: (id) => tenant.updates.get(id) ?? 0,
    message: (id) => tenant.message(id),
    account: (id) => tenant.account(id),
    case: (id) => tenant.cases.get(id)?.value ?? null,
    detection: (id) => tenant.detections.rows.find(({ value }) => value.id === id)?.value ?? null,
    trusted: (id) => tenant.trusted.get(id)?.value ?? null,
    get trustedEntities() {
      return tenant.trusted.rows.map(({ value }) => value)
    },
    setSearchPace: (pace) => {
      tenant.searches.pace = pace
    },
    failNextSearch: () => tenant.searches.failNext(),
    setBeta: (enabled) => {
      beta = enabled
    },
    fail: (failure) => server.faults.add(ruleOf(failure)),
    setRole: (next) => {
      role = next
    },
  }
  return simulator
}

/** Returns the segments of a path. Null if one is empty or wrongly encoded. */
function decoded(path: string): readonly string[] | null {
  try {
    const segments = path.split('/').map(decodeURIComponent)
    return segments.includes('') ? null : segments
  } catch {
    return null
  }
}
