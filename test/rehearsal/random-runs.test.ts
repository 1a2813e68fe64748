import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type CaseChange, type TimelineEntry, withoutTurnedAway } from '../../runtime/domain/index.ts'
import { noTurns } from '../../runtime/fairness/index.ts'
import { compilePlaybook, sourcesOf, withPlaybooks } from '../../runtime/playbook/index.ts'
import { createRecordings, openWorld, type Recording, replayRun, type World } from '../../runtime/rehearsal/index.ts'
import { replayRecording } from '../../runtime/rehearsal/recording/replay-recording.ts'
import type { Bench } from '../engine/support/harness.ts'
import { retracing } from '../engine/support/retraced.ts'
import { RandomRun } from './random-run.ts'
import { innerPlaybook, RandomWay } from './random-way.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ plugins: [join(import.meta.dirname, '../engine/support/plugins')], playbooks: [] })
})

const subs = sourcesOf([{ text: innerPlaybook, file: 'inner.yaml' }])
const compiled = (text: string) => compilePlaybook(text, 'test.yaml', withPlaybooks(world.lookup, subs))

async function recordingOf(bench: Bench, text: string): Promise<Recording> {
  const kept = await createRecordings(bench.store, { byDigest: async () => compiled(text) }, noTurns).recording(await bench.ended())
  const playbooks = [{ name: 'inner', digest: 'inner', text: innerPlaybook }]
  return JSON.parse(JSON.stringify({ ...kept, playbook: { ...kept.playbook, text }, playbooks })) as Recording
}

/** Returns the steps that wrote into the case, and what they wrote. */
function told(timeline: readonly TimelineEntry[]): readonly string[] {
  return timeline
    .flatMap(({ key, actor, body }) => {
      // What a handler tells before it waits depends on the time that has passed, and a replay has its own clock.
      if (!('run' in actor) || key.endsWith('/begun')) return []
      return body.kind === 'note' ? [`${actor.step}: ${body.text}`] : body.kind === 'change' ? [`${actor.step}: ${changed(body.change)}`] : []
    })
    .toSorted()
}

function changed({ severity }: CaseChange): string {
  return String(severity)
}

const seeds = Number(process.env['TOCSIN_TEST_SEEDS'] ?? 40)
const first = Number(process.env['TOCSIN_TEST_FIRST_SEED'] ?? 1)

test.each(Array.from({ length: seeds }, (_, index) => first + index))(
  'a run that dies anywhere is replayed as it was, and every step that wrote is shown (%i)',
  async (seed) => {
    const { text } = new RandomWay(seed)
    const bench = await RandomRun.ended(text, seed * 7_919)
    try {
      const recording = await recordingOf(bench, text)
      const { error, state } = recording
      // Its processes died too often at one place.
      if (error?.code === 'process_died') return
      const nothing = { added: [], removed: [], changed: [], missing: [], assumed: [] }
      expect(await replayRun(world, recording, compiled(text))).toMatchObject({ ...nothing, outcome_before: state, outcome_after: state })

      // The replay compares two rehearsals. They must also do what the run did.
      const own = await replayRecording(world, recording)
      if (own.kind === 'cannot') throw new Error(own.why)
      const { calls, failure, timeline } = own.rehearsed
      expect(failure?.code).toBe(error?.code)
      const records = withoutTurnedAway(await bench.records())
      const sent = records.flatMap((record) => (record.kind === 'intent' ? [record.address.replace(/#\d+$/, '')] : []))
      const again = calls.flatMap(({ step, impact }) => (impact === 'read' ? [] : [step]))
      expect([...new Set(again)].toSorted()).toEqual([...new Set(sent)].toSorted())
      const written = told((await bench.case()).timeline)
      expect(told(timeline)).toEqual(written)

      const shown = new Set((await retracing(() => bench).list()).items.map(({ address }) => address))
      expect(written.map((one) => one.split(':')[0]).filter((step) => !shown.has(step ?? ''))).toEqual([])
    } finally {
      await bench.close()
    }
  },
)
