import type { Json, Millis, ProtectedRule } from '../../domain/index.ts'
import { type ErrorPlace, isTocsinError, TocsinError } from '../../errors/index.ts'
import { type Plan, readPlaybook } from '../../playbook/index.ts'
import { type DocumentPath, hint, inFileOrder, type Locator, parseYaml, placeAt, validate } from '../../yaml/index.ts'
import { askedSkills } from '../coverage/index.ts'
import { slotsOf, stepsOf } from '../plan-steps.ts'
import type { People } from '../stand-ins/people.ts'
import { stepPlaces } from '../step-places.ts'
import type { Answers, Circumstances } from '../types.ts'
import { type FoundPlaybook, findPlaybook, type World } from '../world.ts'
import { prepareAnswers, type Tell } from './answers.ts'
import { approvalsNamed, preparePeople } from './decisions.ts'
import { checkTestFile, type ExpectationDocument, type TestDocument, type TestFileDocument } from './grammar.ts'
import { checkNames } from './names.ts'
import type { Problem } from './problem.ts'

/** A test after checking. */
export interface PreparedTest {
  readonly name: string
  /** The place in the file. */
  readonly path: DocumentPath
  readonly circumstances: Circumstances
  /** The inputs, if it tests a sub-playbook. */
  readonly inputs: Readonly<Record<string, Json>> | undefined
  readonly answers: () => Answers
  readonly people: () => People
  /** The skills that the organization's policy asks about. */
  readonly asked: readonly string[]
  readonly protected: readonly ProtectedRule[]
  readonly expect: ExpectationDocument
  /** What nothing can meet, such as an answer to a call that no step makes. The test fails, and is not executed. */
  readonly mistakes: readonly Problem[]
}

/** A file of tests, checked against its playbook and the skills. */
export interface TestFile {
  readonly file: string
  readonly playbook: FoundPlaybook
  readonly tests: readonly PreparedTest[]
  readonly locate: Locator['locate']
}

const defaultNow = '2026-01-01T00:00:00Z'

/**
 * Reads a file with tests of a playbook. A mistake that only one test has is part of that test, so that the others can run.
 *
 * @throws TocsinError `playbook_test_invalid` if the file breaks its schema, with line and column of every mistake;
 * `yaml_invalid`, `file_unreadable`, `playbook_unknown`, `playbook_invalid`
 */
export async function loadTestFile(world: World, file: string): Promise<TestFile> {
  return testsIn(world, await readPlaybook(file), file, ({ playbook }, locate) => playbookOf(world, playbook, file, locate))
}

/** Reads tests from a text. @param find finds the tested playbook */
export async function testsIn(
  world: World,
  text: string,
  file: string,
  find: (document: TestFileDocument, locate: Locator['locate']) => Promise<FoundPlaybook>,
): Promise<TestFile> {
  const { value, locate } = parseYaml(text, file)
  const faults = validate(checkTestFile, value, locate)
  if (faults.length > 0) throw invalid(file, faults)
  const document = value as unknown as TestFileDocument
  const playbook = await find(document, locate)
  const lines = new Map<string, number>()
  const tests = document.tests.map((test, index) => {
    const path = ['tests', index]
    const mistakes: Problem[] = []
    const tell: Tell = (at, message, part = 'value') => {
      const { line, column } = locate(at, part)
      mistakes.push({ line, column, field: at.join('.'), message, differences: [] })
    }
    const other = lines.get(test.name)
    if (other === undefined) lines.set(test.name, locate([...path, 'name']).line)
    else tell([...path, 'name'], `line ${other} has a test with this name already`)
    const prepared = prepare(test, path, playbook.plan, world, tell)
    return { ...prepared, mistakes: inFileOrder(mistakes) }
  })
  return { file, playbook, tests, locate }
}

function invalid(file: string, places: readonly ErrorPlace[]): TocsinError {
  const sorted = inFileOrder(places)
  const [first] = sorted
  const more = sorted.length > 1 ? ` (and ${sorted.length - 1} more)` : ''
  return new TocsinError('playbook_test_invalid', `${file}:${first?.line}:${first?.column}: ${first?.field}: ${first?.message}${more}`, sorted)
}

async function playbookOf(world: World, playbook: string, file: string, locate: Locator['locate']): Promise<FoundPlaybook> {
  try {
    return await findPlaybook(world, playbook, file)
  } catch (error) {
    if (!isTocsinError(error) || error.code !== 'playbook_unknown') throw error
    throw invalid(file, [placeAt(locate, ['playbook'], error.message)])
  }
}

function prepare(test: TestDocument, path: DocumentPath, plan: Plan, world: World, tell: Tell): Omit<PreparedTest, 'mistakes'> {
  const steps = stepsOf(plan)
  const slots = slotsOf(plan)
  const places = stepPlaces(plan)
  for (const slot of Object.keys(test.connections ?? {})) {
    if (!Object.hasOwn(slots, slot)) tell([...path, 'connections', slot], `there is no slot \`${slot}\`${hint(slot, Object.keys(slots))}`, 'key')
  }
  checkBeginning(test, path, plan, tell)
  checkNames(test, path, { places, slots, plugins: world.plugins }, tell)
  const answers = prepareAnswers(test.answers ?? {}, [...path, 'answers'], { ...world, codes: world.lookup.codes }, tell)
  const people = preparePeople(test.decisions ?? {}, [...path, 'decisions'], { steps, places, lookup: world.lookup }, tell)
  return {
    name: test.name,
    people,
    asked: askedSkills(plan, approvalsNamed(test.decisions ?? {})),
    protected: (test.protected ?? []).map(({ names, skills }) => ({ names, pattern: null, skills: skills ?? null, reason: 'The test says so' })),
    inputs: test.inputs,
    path,
    circumstances: circumstancesOf(test, unboundSlots(test, plan)),
    answers,
    expect: test.expect,
  }
}

/** A playbook needs an alert. A sub-playbook needs inputs. */
function checkBeginning({ alert, inputs, expect }: TestDocument, path: DocumentPath, plan: Plan, tell: Tell): void {
  const isSub = plan.types.length === 0
  if (!isSub && alert === undefined) tell([...path, 'alert'], '`alert` is missing')
  if (!isSub && inputs !== undefined)
    tell([...path, 'inputs'], `${plan.name} reads its inputs from the alert; only tests of sub-playbooks have \`inputs\``, 'key')
  if (isSub && inputs === undefined)
    tell([...path, 'inputs'], `\`inputs\` is missing: ${plan.name} is a sub-playbook, so the test must give its inputs`)
  if (isSub && expect.vars !== undefined)
    tell([...path, 'expect', 'vars'], 'nobody outside sees the vars of a sub-playbook; expect its `outputs` instead', 'key')
  const known = plan.inputs.map(({ name }) => name)
  for (const name of Object.keys(inputs ?? {})) {
    if (isSub && !known.includes(name)) tell([...path, 'inputs', name], `${plan.name} has no input \`${name}\`${hint(name, known)}`, 'key')
  }
}

/**
 * Returns the slots without a connection: those that the test says have none, and optional ones
 * that the test does not mention and does not answer a skill of.
 */
function unboundSlots({ connections = {}, answers = {} }: TestDocument, plan: Plan): Circumstances['connections'] {
  const answered = new Set(Object.keys(answers).map((skill) => skill.split('.')[0] ?? ''))
  const unbound = Object.entries(slotsOf(plan)).filter(
    ([slot, { optional, integration }]) => !(connections[slot] ?? (!optional || answered.has(integration))),
  )
  return Object.fromEntries(unbound.map(([slot]) => [slot, false as const]))
}

function circumstancesOf({ alert = { content: {} }, now = defaultNow }: TestDocument, connections: Circumstances['connections']): Circumstances {
  const { content, alert_type, alert_name, alert_provider, alert_id, alert_uuid, organization_code, created_at, created_at_source } = alert
  const given = {
    ...(alert_type !== undefined && { type: alert_type }),
    ...(alert_name !== undefined && { name: alert_name }),
    ...(alert_provider !== undefined && { provider: alert_provider }),
    ...(alert_id !== undefined && { alertId: alert_id }),
    ...(alert_uuid !== undefined && { uuid: alert_uuid as never }),
    ...(organization_code !== undefined && { organizationCode: organization_code }),
    ...(created_at !== undefined && { createdAt: created_at }),
    ...(created_at_source !== undefined && { createdAtSource: created_at_source }),
  }
  return {
    alert: { content: textOf(content), ...given },
    now: timeOf(now),
    connections,
  }
}

function textOf(content: Json): string {
  return typeof content === 'string' ? content : JSON.stringify(content)
}

function timeOf(text: string): Millis {
  return Date.parse(text)
}
