import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  type AlertUuid,
  asId,
  type CaseUuid,
  type OrganizationId,
  runId,
  type SessionId,
  systemScope,
  unlimitedPolicy,
} from '../../../runtime/domain/index.ts'
import type { SkillCall } from '../../../runtime/engine/call/skill-caller.ts'
import { executeRun } from '../../../runtime/engine/run/execute-run.ts'
import { impactOf } from '../../../runtime/playbook/authoring/index.ts'
import { compilePlaybook, type Impact, type Plan, type SkillLookup, skillLookup } from '../../../runtime/playbook/index.ts'
import { type CallResult, loadPluginFolder, type Plugin } from '../../../runtime/plugin/index.ts'
import { openMemoryStore } from '../../../runtime/storage/embedded/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { SleeplessClock } from '../../support/clocks/sleepless-clock.ts'
import { done, failing } from '../support/harness.ts'
import { nobodyAsked } from '../support/nobody-asked.ts'
import { Dice, RandomPlaybook } from '../support/random-playbook.ts'

const plugin: Plugin = await loadPluginFolder(fileURLToPath(new URL('../support/plugins/directory', import.meta.url)))
const lookup: SkillLookup = skillLookup(new Map([[plugin.id, plugin]]))
const organization = asId<OrganizationId>('acme')

/** Runs a plan once. Returns its calls; a call counts once however often it was tried. */
async function runOnce(plan: Plan, content: object, answer: (call: SkillCall) => CallResult): Promise<readonly SkillCall[]> {
  const clock = new SleeplessClock()
  const store = openMemoryStore(clock)
  const calls = new Map<string, SkillCall>()
  const [inserted] = await store.alerts.insert(systemScope, [
    {
      uuid: asId<AlertUuid>('0190-alert'),
      organization,
      organizationCode: 'ACME',
      provider: 'edr',
      numberedAs: 'ACME-EDR',
      type: 'test',
      content: JSON.stringify(content),
      name: 'Test alert',
      tokens: [],
      createdAt: clock.now(),
      createdAtSource: null,
      createdBy: asId('principal'),
      idempotency: null,
    },
  ])
  if (!inserted) throw new Error('no alert')
  const { alert } = inserted
  const session = asId<SessionId>('session')
  await store.sessions.open(systemScope, { id: session, host: 'test', pid: 1 })
  const claimed = await store.runs.claim(systemScope, {
    run: runId(alert.uuid, 1),
    alert: alert.uuid,
    organization,
    type: 'test',
    attempt: 1,
    session,
    at: clock.now(),
    pins: {
      playbook: { name: plan.name, digest: plan.digest },
      playbooks: {},
      policy: nobodyAsked,
      plugins: { directory: plugin.digest },
      connections: { directory: { id: asId('c'), revision: 1, instance: 'dir' } },
    },
    opening: { uuid: asId<CaseUuid>('case-1'), title: 'Test', severity: 'low', join: null },
  })
  if (claimed.kind !== 'claimed') throw new Error(`the claim was answered with ${claimed.kind}`)
  const engine = {
    store,
    clock,
    retryDelays: [],
    deathLimit: 3,
    logger: createLogger({ level: 'silent' }),
    playbooks: { resolve: async () => plan, byDigest: async () => plan, forget: () => {} },
    plugins: { active: async () => new Map([[plugin.id, plugin]]), byDigest: async () => plugin, forget: () => {} },
    policies: { get: async () => unlimitedPolicy, set: async () => null },
    scripts: { run: async () => ({ kind: 'stopped' as const }) },
    caller: {
      call: async (call: SkillCall) => {
        calls.set(call.key, call)
        return answer(call)
      },
    },
  }
  await executeRun(engine, claimed, alert, new AbortController().signal)
  await store.close()
  return [...calls.values()]
}

interface Counts {
  readonly high: number
  readonly write: number
  readonly read: number
  readonly targets: number
}

function countsOf(calls: readonly SkillCall[]): Counts {
  const count = (impact: string): number => calls.filter(({ skill }) => skill.impact === impact).length
  const targets = calls.filter(({ skill }) => skill.impact !== 'read').map(({ skill, input }) => String(skill.target?.render({ input })))
  return { high: count('high'), write: count('write'), read: count('read'), targets: new Set(targets).size }
}

/** A run in which dice decide each condition, list, answer and failure. */
function randomRun({ flags, lists }: RandomPlaybook, plan: Plan, dice: Dice, failures: boolean): Promise<readonly SkillCall[]> {
  const content = {
    user: 'ada',
    ...Object.fromEntries(flags.map((flag) => [flag, dice.roll(2) === 0])),
    ...Object.fromEntries(
      lists.map(({ name, most }) => [name, Array.from({ length: dice.roll(4) > 0 ? most : dice.roll(most + 1) }, (_, at) => `${name}-${at}`)]),
    ),
  }
  let answers = 0
  return runOnce(plan, content, () =>
    failures && dice.roll(5) === 0 ? failing('refused', 'not_allowed') : done({ state: `state-${answers++}`, asked: 1 }),
  )
}

test('no run does more than its computed bound, and many reach it', async () => {
  const reached = { high: 0, write: 0, read: 0, targets: 0 }
  const kinds = Object.keys(reached) as (keyof Counts)[]
  const playbooks = 24
  for (let seed = 1; seed <= playbooks; seed++) {
    const made = new RandomPlaybook(seed)
    const plan = compilePlaybook(made.text, `seed ${seed}`, lookup)
    const bound: Impact = impactOf(plan, lookup)
    const dice = new Dice(seed)
    const worst = { high: 0, write: 0, read: 0, targets: 0 }
    for (let run = 0; run < 16; run++) {
      const calls = await randomRun(made, plan, dice, run % 2 === 0)
      const counts = countsOf(calls)
      for (const kind of kinds) {
        expect(counts[kind], `seed ${seed}, run ${run}: ${kind}\n${made.text}`).toBeLessThanOrEqual(bound[kind])
        worst[kind] = Math.max(worst[kind], counts[kind])
      }
      for (const skill of plugin.skills.keys()) {
        const most = bound.skills.find((each) => each.skill === `directory.${skill}`)?.maxCalls ?? 0
        expect(calls.filter((call) => call.skill.id === skill).length, `seed ${seed}: ${skill}\n${made.text}`).toBeLessThanOrEqual(most)
      }
    }
    for (const kind of kinds) if (worst[kind] === bound[kind]) reached[kind] += 1
  }
  // Otherwise a bound that is far too high would also pass.
  for (const kind of ['high', 'write', 'read'] as const) expect(reached[kind], kind).toBeGreaterThan(playbooks / 4)
  expect(reached.targets).toBeGreaterThan(playbooks / 6)
})
