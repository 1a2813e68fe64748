import type { Json } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { yaml } from '../../packages/index.ts'
import type { Plan } from '../../playbook/index.ts'
import { findPersonal, replacer, Substitutes } from '../anonymise/index.ts'
import { testsIn } from '../playbook-test/load.ts'
import { runTest, type TestResult } from '../playbook-test/run.ts'
import type { RecordedMoment, Recording } from '../recorded/document.ts'
import type { Rehearsed } from '../types.ts'
import type { World } from '../world.ts'
import { isOver, protectedIn, type ReplayedRecording, replayRecording } from './replay-recording.ts'
import { beginningOf, contentOf, expectationOf, type Replace, type Took } from './test-document.ts'

/** A test made from a recorded run. */
export interface RecordedTest {
  /** The YAML text of a file with this test. */
  readonly text: string
  readonly playbook: string
  /** How many different values were replaced. */
  readonly replaced: number
}

type Replayed = Extract<ReplayedRecording, { kind: 'replayed' }>

const lineWidth = 150

/**
 * Makes a test from a recorded run. It gets the recorded answers, and expects what the run did.
 * Personal data and secrets are replaced, each value by the same substitute everywhere. The test is
 * rehearsed first. If it does not pass, or takes another way than the run, this throws.
 *
 * @param keep texts that must not be replaced
 * @throws TocsinError `run_not_recordable`
 */
export async function recordTest(world: World, recording: Recording, keep: readonly string[]): Promise<RecordedTest> {
  if (recording.state === 'running') throw refused('it is still running')
  const own = await replayRecording(world, recording)
  if (own.kind === 'cannot') throw refused(own.why)
  if (!isOver(recording) && own.rehearsed.outcome !== 'waiting') throw refused('it waits for a point in time, and what happens after that is unknown')
  const substitutes = substitutesOf(recording, own, world, keep)
  const replace: Replace = replacer(substitutes.made)
  const name = `recorded: a run for ${recording.alert.alert_type ?? 'an alert'} that ${recording.state === 'waiting' ? 'waits' : recording.state}`
  const file = (expect: object, took: Took | null, by = replace): string => {
    const beginning = beginningOf(recording, own, by, world.plugins, took)
    const head = `# yaml-language-server: $schema=../schemas/playbook-test.schema.json\n# Recorded from a run. Addresses, names, ids and secrets are replaced where Tocsin recognised them. Read the file before you share it.\n`
    return `${head}${yaml().stringify({ format: 1, playbook: own.plan.name, tests: [{ name, ...beginning, expect }] }, { lineWidth, aliasDuplicateObjects: false })}`
  }
  const attempt = async (took: Took | null): Promise<{ readonly took: Took | null; readonly first: Rehearsed; readonly other: string | null }> => {
    const first = await tried(world, file({}, took), own.plan)
    return { took, first, other: otherWay(own.rehearsed, first) }
  }
  // Most ways do not depend on how long calls take. Such a test is easier to read without times.
  let made = await attempt(null)
  if (made.other !== null) made = await attempt(own.rehearsed.took)
  if (made.other !== null) made = await attempt(await distinctTimes(world, recording))
  const { took, first, other } = made
  if (other !== null) {
    const asItWas = file({}, took, (value) => value)
    const unreplaced = await tried(world, asItWas, own.plan)
    throw refused(
      otherWay(own.rehearsed, unreplaced) === null
        ? `with substitutes it takes another way: ${other}. Name the values that must stay with --keep`
        : `as a test it takes another way, even without substitutes: ${other}`,
    )
  }
  const text = file(expectationOf(first, recording), took)
  await passed(world, text, own.plan)
  return { text, playbook: own.plan.name, replaced: substitutes.made.size }
}

function refused(why: string): TocsinError {
  return new TocsinError('run_not_recordable', `${why.charAt(0).toUpperCase()}${why.slice(1)}.`)
}

function substitutesOf(recording: Recording, { plan, rehearsed }: Replayed, { plugins }: World, keep: readonly string[]): Substitutes {
  const { calls } = rehearsed
  const named = [recording.playbook, ...recording.playbooks]
    .map(({ text }) => text ?? '')
    .concat(keep)
    .join('\n')
    .toLowerCase()
  // Values in the playbook are not secret for anybody who has it, and they may decide which way the
  // run takes.
  const substitutes = new Substitutes((text) => named.includes(text.toLowerCase()))
  const { alert } = recording
  findPersonal(contentOf(alert.alert_content), substitutes)
  findPersonal({ alert_name: alert.alert_name, alert_uuid: alert.alert_uuid }, substitutes)
  const skillAt = new Map(calls.map(({ step, skill }) => [step, skill]))
  for (const answer of recording.answers) {
    if (answer.kind === 'failed') findPersonal(answer.message, substitutes)
    if (answer.kind !== 'output') continue
    const [integration = '', id = ''] = (skillAt.get(answer.step) ?? '').split('.')
    findPersonal(answer.output, substitutes, plugins.get(integration)?.skills.get(id)?.document.output ?? null)
  }
  findPersonal(
    protectedIn(recording, plan).flatMap(({ names }) => names),
    substitutes,
  )
  for (const { input } of calls) findPersonal(input, substitutes)
  for (const { answers } of recording.decisions) for (const { reason, output } of answers) findPersonal([reason, output], substitutes)
  return substitutes
}

/**
 * Returns how long each call took. Answers that arrived in the same millisecond get different times, because a test
 * cannot say which of them came first.
 */
async function distinctTimes(world: World, recording: Recording): Promise<Took> {
  const { answers, decisions, waits } = recording
  const all = [
    ...answers.flatMap((answer) => (answer.kind === 'sent' ? [] : [answer])),
    ...decisions.flatMap(({ asked, heard }) => [asked, heard].filter((one) => one !== null)),
    ...waits,
  ].toSorted((a, b) => a.order - b.order)
  let last = 0
  const times = new Map(
    all.map(({ at, order }) => {
      last = Math.max(at, last + 1)
      return [order, last]
    }),
  )
  const apart = <T extends RecordedMoment>(moment: T): T => ({ ...moment, at: times.get(moment.order) ?? moment.at })
  const replayed = await replayRecording(world, {
    ...recording,
    answers: answers.map((answer) => (answer.kind === 'sent' ? answer : apart(answer))),
    decisions: decisions.map((one) => ({ ...one, asked: one.asked && apart(one.asked), heard: one.heard && apart(one.heard) })),
    waits: waits.map(apart),
  })
  if (replayed.kind === 'cannot') throw refused(replayed.why)
  return replayed.rehearsed.took
}

/** Rehearses the test in a text. @throws TocsinError `run_not_recordable` if it does not pass */
async function passed(world: World, text: string, plan: Plan): Promise<void> {
  const { problems } = await result(world, text, plan)
  const [problem] = problems
  if (problem) throw refused(`the recorded test does not pass: ${problem.field}: ${problem.message}`)
}

/** Rehearses the test in a text, which expects nothing. It may call what has no answer. */
async function tried(world: World, text: string, plan: Plan): Promise<Rehearsed> {
  const { rehearsed, problems } = await result(world, text, plan)
  const [problem] = problems
  if (!rehearsed) throw refused(`the recorded test does not pass: ${problem?.field}: ${problem?.message}`)
  return rehearsed
}

async function result(world: World, text: string, plan: Plan): Promise<TestResult> {
  const file = await testsIn(world, text, 'recorded.test.yaml', async () => ({ file: `${plan.name}.yaml`, plan }))
  const [test] = file.tests
  if (!test) throw refused('the file has no test')
  return runTest(world, file, test, () => 0)
}

/**
 * Returns the first difference between two rehearsals. Null if they called the same skills at the
 * same steps, ended the same way and left the same case.
 */
function otherWay(one: Rehearsed, other: Rehearsed): string | null {
  const called = ({ calls, unanswered }: Rehearsed): readonly Json[] =>
    [...calls, ...unanswered].map(({ step, skill }) => `${skill} at ${step}`).toSorted()
  const [before, after] = [called(one), called(other)]
  const lost = before.find((call, index) => call !== after[index])
  if (lost !== undefined || before.length !== after.length)
    return `${String(lost ?? after[before.length])} is called only ${lost === undefined ? 'in the test' : 'in the run'}`
  if (one.outcome !== other.outcome) return `it ends as ${other.outcome}, but the run was ${one.outcome}`
  if (one.failure?.code !== other.failure?.code) return `it fails with ${other.failure?.code}, but the run failed with ${one.failure?.code}`
  const changed = (['severity', 'status', 'disposition'] as const).find((field) => one.case[field] !== other.case[field])
  return changed === undefined ? null : `the case's ${changed} is ${other.case[changed]}, but in the run it was ${one.case[changed]}`
}
