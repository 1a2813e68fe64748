import { isTocsinError, TocsinError } from '../errors/index.ts'
import { compilePlaybook, type Plan, skillLookup, withPlaybooks } from '../playbook/index.ts'
import { KeptPlugins } from '../plugin/index.ts'
import {
  type Answers,
  type Asked,
  answersIn,
  Coverage,
  dryRun,
  type Fixtures,
  type FoundPlaybook,
  type Given,
  type RecordedTest,
  recordTest,
  replayRun,
  runTest,
  slotsOf,
  type TestResult,
  testsIn,
  type World,
} from '../rehearsal/index.ts'
import type { Ask } from '../subprocess/index.ts'
import { placeAt } from '../yaml/index.ts'
import type { DryRunTask, ReadCall, RehearsalAnswer, RehearsalTask, RehearsedText, ReplayTask, TestTask } from './protocol.ts'
import { type DryRunReport, dryRunReport, type ReplayReport, replayReport, type TestFileReport, type TestReport, testFileReport } from './reports.ts'

const kept = new KeptPlugins()
const nobody: Answers = { answer: () => null, verify: () => null }

/**
 * Does one task, in the process that rehearses. Mistakes in the texts are part of the answer.
 * @throws any other error, which is a bug in Tocsin
 */
export async function rehearseTask(task: RehearsalTask, fixtures: Fixtures, ask: Ask): Promise<RehearsalAnswer> {
  try {
    return { kind: 'answer', value: await answerTo(task, fixtures, ask) }
  } catch (error) {
    if (!isTocsinError(error)) throw error
    const { code, message, places } = error
    return { kind: 'refused', code, message, places }
  }
}

function answerTo(task: RehearsalTask, fixtures: Fixtures, ask: Ask): Promise<TestReport | DryRunReport | ReplayReport | RecordedTest> {
  const plugins = kept.of(task.plugins)
  const world: World = { plugins, pluginFolders: [], playbookFolders: [], lookup: skillLookup(plugins), fixtures }
  switch (task.kind) {
    case 'test':
      return test(world, task)
    case 'dry_run':
      return dry(world, task, ask)
    case 'replay':
      return replay(world, task)
    case 'record':
      return recordTest(world, task.recording, task.keep)
  }
}

function compiled(world: World, { playbook, sources }: RehearsedText): Plan {
  return compilePlaybook(playbook.text, playbook.file, withPlaybooks(world.lookup, sources))
}

async function test(world: World, task: TestTask): Promise<TestReport> {
  const plan = compiled(world, task)
  const found: FoundPlaybook = { file: task.playbook.file, plan }
  const files: TestFileReport[] = []
  for (const { file, text } of task.tests) {
    try {
      files.push(await testFile(world, found, file, text))
    } catch (error) {
      if (!isTocsinError(error)) throw error
      const { code, message, places } = error
      files.push({ file, error: { code, message, places } })
    }
  }
  return { files }
}

async function testFile(world: World, found: FoundPlaybook, file: string, text: string): Promise<TestFileReport> {
  const tests = await testsIn(world, text, file, async ({ playbook }, locate) => {
    if (playbook === found.plan.name) return found
    const message = `these are tests of \`${playbook}\`, but the playbook is \`${found.plan.name}\``
    throw new TocsinError('playbook_test_invalid', `${file}: ${message}`, [placeAt(locate, ['playbook'], message)])
  })
  const coverage = new Coverage(found.plan)
  const results: TestResult[] = []
  for (const one of tests.tests) {
    const result = await runTest(world, tests, one, () => performance.now())
    if (result.rehearsed) coverage.add(result.rehearsed.trace)
    // The report does not need what the test did. Dropping it now saves memory.
    results.push({ ...result, rehearsed: null })
  }
  return testFileReport(tests, results, coverage)
}

async function dry(world: World, task: DryRunTask, ask: Ask): Promise<DryRunReport> {
  const plan = compiled(world, task)
  const slots = slotsOf(plan)
  const unbound = task.unbound.filter((slot) => Object.hasOwn(slots, slot))
  const read = async ({ connection: slot, plugin, skill, input }: Asked): Promise<Given | null> =>
    (await ask({ slot, integration: plugin.id, skill, input } satisfies ReadCall)) as Given | null
  return dryRunReport(
    await dryRun(world, {
      plan,
      alert: task.alert,
      now: task.now,
      connections: Object.fromEntries(unbound.map((slot) => [slot, false as const])),
      given: task.answers === null ? nobody : answersIn(world, task.answers, 'answers'),
      read: task.reads ? read : null,
    }),
  )
}

async function replay(world: World, task: ReplayTask): Promise<ReplayReport> {
  return replayReport(await replayRun(world, task.recording, compiled(world, task)))
}
