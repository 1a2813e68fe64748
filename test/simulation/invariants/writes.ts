import { policyAsks, systemScope } from '../../../runtime/domain/index.ts'
import { wholeTimeline } from '../../support/timeline.ts'
import type { Arrival } from '../actors/system.ts'
import { plugin } from '../world/shared.ts'
import { callKeyOf } from './calls.ts'
import type { Evidence, Life } from './evidence.ts'
import { judgePaused } from './pauses.ts'
import type { Written } from './written.ts'

/** Skills that must never arrive twice. The people here never ask to repeat a write that happened. */
const once = new Set(['page_user', 'unpair_user'])
const high = new Set([...plugin.skills.values()].filter(({ impact }) => impact === 'high').map(({ id }) => id))

/** Checks that exactly what the journals say has arrived at the external system. */
export async function judgeWrites(evidence: Evidence, lives: readonly Life[]): Promise<void> {
  const { world, system } = evidence
  const written = new Map(lives.flatMap((life) => writtenBy(life)))
  for (const [call, arrivals] of system.arrivals) {
    const step = written.get(call)
    const [first] = arrivals
    if (!first) continue
    if (!step) {
      world.fail(`${first.skill} ${first.user} arrived, and no journal knows of it`)
      continue
    }
    judgeArrivals(evidence, step, arrivals)
    judgeApproved(evidence, step, first)
  }
  for (const [call, step] of written) {
    if (step.outcome?.kind === 'done' && !system.arrivals.has(call)) world.fail(`${nameOf(step)} is done, and never arrived`)
  }
  for (const life of lives)
    await judgeLife(
      evidence,
      life,
      [...written.values()].filter((step) => step.life === life),
    )
}

function writtenBy(life: Life): readonly (readonly [string, Written])[] {
  const records = life.journal.flatMap((entry) => entry.records)
  const addresses = new Set(records.flatMap((record) => (record.kind === 'intent' ? [record.address] : [])))
  return [...addresses].map((address) => {
    const at = records.filter((record) => 'address' in record && record.address === address)
    const intents = at.filter((record) => record.kind === 'intent')
    const outcome = at.find((record) => record.kind === 'done' || record.kind === 'failed')
    return [callKeyOf(life.run.id, address), { life, address, intents, outcome }] as const
  })
}

function nameOf({ life, address }: Written): string {
  return `${life.run.id} ${address}`
}

function judgeArrivals(evidence: Evidence, step: Written, arrivals: readonly Arrival[]): void {
  const { world, scenario } = evidence
  const { intents, outcome } = step
  const apart = 2 * scenario.skew
  const [first] = arrivals
  if (!first) return
  if (once.has(first.skill) && arrivals.length > 1) world.fail(`${nameOf(step)} (${first.skill}) arrived ${arrivals.length} times`)
  for (const arrival of arrivals) {
    const { at, from, longestWay } = arrival
    judgePaused(evidence, step, arrival)
    const fitting = intents.some((intent) => intent.at <= at + apart && at <= intent.sendBy + longestWay + apart)
    if (!fitting) world.fail(`${nameOf(step)} arrived from ${from} when nobody was to send it any more`)
    if (outcome && at > outcome.at + longestWay + apart) world.fail(`${nameOf(step)} arrived from ${from} after it had ended`)
  }
  if (!outcome) world.fail(`${nameOf(step)} arrived, and the journal does not say what became of it`)
  else if (outcome.kind === 'failed' && (outcome.effect === 'not_sent' || outcome.effect === 'refused'))
    world.fail(`${nameOf(step)} arrived, and the journal says ${outcome.effect}`)
}

/** Checks that a call that needs an approval has one for this very input, given before it arrived. */
function judgeApproved({ world, scenario }: Evidence, step: Written, { at, skill }: Arrival): void {
  const { life, address, intents } = step
  const cut = address.lastIndexOf('/') + 1
  const covering = life.book.covered.get(address.slice(cut))
  const policy = life.run.pins.policy
  const asks = policy !== undefined && policyAsks(policy, `directory.${skill}`, high.has(skill) ? 'high' : 'write')
  if (covering === undefined && !asks) return
  const asked = covering === undefined ? address : `${address.slice(0, cut)}${covering}`
  const digest = intents.at(-1)?.digest
  const approved = life.decisions.some(
    (decision) =>
      decision.step === asked &&
      decision.state === 'approved' &&
      (decision.closedAt ?? 0) <= at + 2 * scenario.skew &&
      decision.actions.some((action) => action.digest === digest),
  )
  if (!approved) world.fail(`${nameOf(step)} (${skill}) arrived, and was not approved`)
}

/** Checks that the budget was kept, and that the case reports everything. */
async function judgeLife({ world, store, system }: Evidence, { run, book }: Life, steps: readonly Written[]): Promise<void> {
  const reached = steps.flatMap((step) => {
    const [arrival] = system.arrivals.get(callKeyOf(run.id, step.address)) ?? []
    return arrival ? [{ step, arrival }] : []
  })
  const impact = run.pins.policy?.limits.impact
  // The budget of a playbook does not limit the undo of its run.
  const highest = Math.min((run.undo ? null : book.high) ?? Number.POSITIVE_INFINITY, impact?.high ?? Number.POSITIVE_INFINITY)
  const highs = reached.filter(({ arrival }) => high.has(arrival.skill)).length
  if (highs > highest) world.fail(`${run.id} has made ${highs} high-impact calls, and ${highest} were allowed`)
  const others = reached.length - highs
  if (others > (impact?.write ?? Number.POSITIVE_INFINITY)) world.fail(`${run.id} has made ${others} writes, and ${impact?.write} were allowed`)
  const timeline = await wholeTimeline(store, systemScope, run.case)
  const told = new Set(timeline.flatMap(({ body, actor }) => (body.kind === 'action' && 'run' in actor && actor.run === run.id ? [actor.step] : [])))
  for (const { step } of reached) if (!told.has(step.address)) world.fail(`the case does not tell of ${nameOf(step)}`)
}
