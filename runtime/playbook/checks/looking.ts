import type { Clock, Millis, OrganizationId, Scope } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Turns } from '../../fairness/index.ts'
import type { PluginLibrary } from '../../plugin/index.ts'
import type { Outlines } from './outlines.ts'
import type { PlaybookChecks, Work } from './port.ts'

/** What is needed to check playbooks for one owner. */
export interface Looking {
  readonly checks: PlaybookChecks
  readonly outlines: Outlines
  readonly work: Work
  readonly turns: Turns
}

/** What is needed to check playbooks for any owner. */
export interface LookingNeeds {
  readonly checks: PlaybookChecks
  readonly outlines: Outlines
  readonly plugins: PluginLibrary
  readonly turns: Turns
  readonly clock: Clock
}

/** @param most the most time for all checks together, in milliseconds; absent: no limit */
export async function lookingFor({ checks, outlines, plugins, turns, clock }: LookingNeeds, owner: string, most?: Millis): Promise<Looking> {
  const work = { owner, plugins: await plugins.active() }
  return { checks: most === undefined ? checks : within(checks, clock, most), outlines, work, turns }
}

/**
 * Returns the owner that checks count for: the organization; else all organizations of the API key together.
 * Empty: the whole installation.
 */
export function ownerOf(scope: Scope, organization: OrganizationId | null): string {
  return organization ?? (scope.organizations === 'all' ? '' : [...scope.organizations].sort().join(' '))
}

/** Limits the time of all checks together: one request may need many. */
function within(checks: PlaybookChecks, clock: Clock, most: Millis): PlaybookChecks {
  const until = clock.now() + most
  return {
    async run(task, input, work) {
      if (clock.now() > until) throw new TocsinError('check_timeout', `The checks of this request took longer than ${most / 1_000} s together.`)
      return checks.run(task, input, work)
    },
  }
}
