import type { Reply } from '../faults.ts'
import type { Pki } from '../pki.ts'
import { type ServerSettings, type SimulatedRequest, serveSimulator } from '../server.ts'
import { Company } from './company.ts'
import { control } from './control.ts'
import { ruleOf } from './failures.ts'
import { Rate } from './rate.ts'

import { noSuchEndpoint, tooMany, unauthorized } from './replies.ts'
import { route } from './routes.ts'
import { seedOf } from './seed.ts'
import type { BrowserSimulator } from './simulator.ts'
import type { Level } from './vocabulary.ts'

export { idOf } from './seed.ts'
export type { BrowserSimulator } from './simulator.ts'

export interface BrowserSettings {
  readonly pki: Pki
  /** The API key that is accepted. */
  readonly key: string
  /** The level of the key. Default: full_access. */
  readonly level?: Level
  /** The path of the API. Default: `/api/v1`. */
  readonly apiPath?: '/api/v1' | '/v1'
  /** 0 or absent: any free port. */
  readonly port?: number
  /** Default: 60. */
  readonly accounts?: number
  /** The clock that counts requests, in milliseconds. Default: the machine's. */
  readonly now?: () => number
  /** How many of the last exchanges are kept for assertions. Default: 1,000. */
  readonly remember?: number
  /** Returns the milliseconds between the work and the answer. Absent: 0. */
  readonly answersAfter?: ServerSettings['answersAfter']
  /**
   * Also refuses what the platform is not known to refuse. A client that passes sends only what is
   * documented.
   */
  readonly strict?: boolean
}

export async function startBrowserSimulator(settings: BrowserSettings): Promise<BrowserSimulator> {
  const company = new Company(seedOf(settings.accounts ?? 60))
  const rate = new Rate(settings.now ?? (() => performance.now()))
  const base = `${settings.apiPath ?? '/api/v1'}/`
  let level = settings.level ?? 'full_access'

  const answer = (request: SimulatedRequest): Reply => {
    if (request.path.startsWith('/_simulator/')) return control(request, simulator, company)
    // The gateway checks the path before the key.
    const segments = request.path.startsWith(base) ? decoded(request.path.slice(base.length)) : null
    if (!segments) return noSuchEndpoint
    if (request.headers['x-api-key'] !== settings.key) return unauthorized
    if (!rate.take()) return tooMany(null)
    return route({ request, company, level, segments, query: new URLSearchParams(request.query), strict: settings.strict ?? false })
  }

  const server = await serveSimulator(answer, {
    pki: settings.pki,
    port: settings.port ?? 0,
    remember: settings.remember ?? 1000,
    ...(settings.answersAfter && { answersAfter: settings.answersAfter }),
  })
  const simulator: BrowserSimulator = {
    ...server,
    find: (kind, id) => company.find(kind, id),
    writesOf: (id) => company.writes.get(id) ?? 0,
    fail: (failure) => server.faults.add(ruleOf(failure)),
    setLevel: (next) => {
      level = next
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
