import type { Clock } from '../../runtime/domain/index.ts'
import { noTurns } from '../../runtime/fairness/index.ts'
import { type LookingNeeds, localChecks, Outlines } from '../../runtime/playbook/index.ts'
import type { PluginLibrary } from '../../runtime/plugin/index.ts'

/** Checks of playbook texts that run in the test's own process. */
export function lookingHere(plugins: PluginLibrary, clock: Clock): LookingNeeds {
  return { checks: localChecks, outlines: new Outlines(localChecks, clock), plugins, turns: noTurns, clock }
}
