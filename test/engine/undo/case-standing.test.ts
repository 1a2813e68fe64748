import { afterEach, describe, expect, test } from 'vitest'
import { type Case, needsAttention, supersededBy, systemScope, writesInCase } from '../../../runtime/domain/index.ts'
import { Bench, Crash, call, failing, playbook } from '../support/harness.ts'
import { fine, UndoBench } from '../support/undo-bench.ts'

/**
 * What a case says about its containment, its verdict and its runs after they were undone, have failed, or
 * were cancelled.
 */
let bench: Bench
let undo: UndoBench
afterEach(() => bench.close())

const contain = `
${call('one', 'suspend_user', 'ada')}
${call('two', 'suspend_user', 'bob')}
- id: say
  case: { note: Suspended, status: contained }`
const verdict = "verdict: { summary: 'The user was suspended.' }"

/** Executes a run that contains, and says so in the case. */
async function contained(steps = contain, answer = fine): Promise<void> {
  undo = await UndoBench.ended(steps, {}, answer)
  bench = undo.bench
  await bench.store.cases.record(
    systemScope,
    (await bench.ended()).case,
    { summary: 'Both were suspended.' },
    {
      key: 'verdict',
      at: bench.clock.now(),
      actor: { run: bench.run, step: 'verdict' },
      body: { kind: 'verdict', text: 'Both were suspended.' },
    },
  )
}
async function now(): Promise<Case> {
  return (await bench.case()).case
}
/** Returns the writes of the case and whether each is still in effect. */
async function writes(): Promise<readonly string[]> {
  return writesInCase((await bench.case()).timeline).map(({ step, state, undo: by }) => `${step} ${state}${by ? ` by ${by.by}` : ''}`)
}
async function undoneText(): Promise<string> {
  return (await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'undone' ? [body.text] : [])).join('\n')
}

describe('after an undo', () => {
  test('that takes everything back, the case is not contained, and says who, when and why', async () => {
    await contained()
    expect(await now()).toMatchObject({ status: 'contained', marks: { undos: [] } })
    expect(await writes()).toEqual(['one stands', 'two stands'])
    await undo.begin()
    // The case says so before anything is sent, because from now on a write may leave at any time.
    expect(await now()).toMatchObject({ status: 'analyst_pending', marks: { undos: [{ state: 'under_way', by: 'Ada', reason: 'A drill.' }] } })
    await undo.live()
    const found = await now()
    expect(found).toMatchObject({ status: 'analyst_pending', summary: 'Both were suspended.' })
    expect(supersededBy(found.marks)).toMatchObject({
      undo: undo.id(),
      undoes: bench.run,
      by: 'Ada',
      reason: 'A drill.',
      state: 'undone',
      undone: 2,
      standing: 0,
    })
    expect(needsAttention(found.marks)).toBe(true)
    expect(await writes()).toEqual(['one undone by Ada', 'two undone by Ada'])
    expect(await undoneText()).toBe('2 writes of the run were undone.')
  })

  test('in part, it says what is still in effect', async () => {
    await contained()
    await undo.begin()
    await undo.live((asked, number) => (number === 1 ? failing('refused', 'credentials_rejected') : fine(asked, number)))
    expect(await now()).toMatchObject({ status: 'analyst_pending', marks: { undos: [{ state: 'partly', undone: 1, standing: 1, inDoubt: 0 }] } })
    expect(await writes()).toEqual(['one undone by Ada', 'two stands by Ada'])
    expect(await undoneText()).toBe(
      '1 write of the run was undone.\n1 write is still in effect:\n  directory.suspend_user on bob: credentials_rejected: credentials_rejected (refused)',
    )
    // The next undo takes back what is left.
    await undo.begin()
    await undo.live(fine, 2)
    expect(await now()).toMatchObject({ status: 'analyst_pending', marks: { undos: [{ undo: undo.id(2), state: 'undone', undone: 2 }] } })
    expect(await writes()).toEqual(['one undone by Ada', 'two undone by Ada'])
  })

  test('that takes nothing back, the case is contained as before, and says that somebody tried', async () => {
    await contained()
    await undo.begin()
    await undo.live(() => failing('refused', 'credentials_rejected'))
    const found = await now()
    expect(found).toMatchObject({ status: 'contained', marks: { undos: [{ state: 'nothing', standing: 2 }] } })
    expect([supersededBy(found.marks), needsAttention(found.marks)]).toEqual([null, true])
    expect(await writes()).toEqual(['one stands by Ada', 'two stands by Ada'])
  })

  test('whose answer was lost, nobody knows what is still in effect', async () => {
    await contained(`${call('one', 'unpair_user', 'ada')}\n- id: say\n  case: { status: contained }`)
    await undo.begin()
    await undo.live(fine)
    // It is of high impact, so people are asked first.
    await undo.answer('approve')
    await undo.live(() => failing('unknown', 'network'))
    expect(await now()).toMatchObject({ status: 'analyst_pending', marks: { undos: [{ state: 'under_way' }] } })
    await undo.answer('give_up')
    await undo.live(() => Promise.reject(new Error('nothing is called any more')))
    expect(await now()).toMatchObject({ status: 'analyst_pending', marks: { undos: [{ state: 'in_doubt', undone: 0, inDoubt: 1 }] } })
    expect(await writes()).toEqual(['one in_doubt by Ada'])
    expect(await undoneText()).toContain('1 write is in doubt: nobody knows whether it is still in effect:\n  directory.unpair_user on ada: ')
  })

  test('that was cancelled, the writes undone until then count', async () => {
    await contained()
    await undo.begin()
    const { id, name } = { id: 'eve', name: 'Eve' }
    const cancel = () => bench.store.runs.cancel(systemScope, undo.id(), { principal: id as never, by: name, reason: null, at: bench.clock.now() })
    await undo.live(async (asked, number) => {
      await cancel()
      return fine(asked, number)
    })
    expect(await undo.undoRun()).toMatchObject({ state: 'failed', failure: { code: 'run_cancelled' } })
    expect(await now()).toMatchObject({ status: 'analyst_pending', marks: { undos: [{ state: 'partly', undone: 1, standing: 1 }] } })
    expect(await undoneText()).toContain('directory.suspend_user on ada: run_cancelled')
  })

  test('that a protected target prevents, the case stays contained', async () => {
    await contained()
    bench.standing = { ...bench.standing, protected: [{ names: ['ada', 'bob'], pattern: null, skills: null, reason: 'Break-glass' }] as never }
    await undo.begin()
    await undo.live(() => Promise.reject(new Error('nothing is called')))
    expect(await now()).toMatchObject({ status: 'contained', marks: { undos: [{ state: 'nothing' }] } })
  })

  test('a later attempt that contains again, and says so, restores it', async () => {
    await contained(`${contain}`)
    await undo.begin()
    await undo.live()
    bench.swap(playbook(contain, verdict))
    await bench.retry()
    await bench.live(fine)
    const found = await now()
    expect(found).toMatchObject({ status: 'contained', summary: 'The user was suspended.' })
    expect([supersededBy(found.marks), needsAttention(found.marks)]).toEqual([null, false])
    expect(await writes()).toEqual(['one undone by Ada', 'two undone by Ada', 'one stands', 'two stands'])
  })

  test('an attempt that wrote nothing cannot be undone, and its verdict stays', async () => {
    undo = await UndoBench.ended('- id: say\n  case: { note: Suspended already, status: contained }')
    bench = undo.bench
    await expect(undo.begin()).rejects.toMatchObject({ code: 'undo_nothing' })
    expect(await now()).toMatchObject({ status: 'contained', marks: { undos: [] } })
  })

  test('a process that dies between request and start leaves no false state', async () => {
    await contained()
    const { store } = bench
    const dead = { ...store, cases: { ...store.cases, record: () => Promise.reject(new Error('died')) } } as typeof store
    const request = { by: { id: 'ada' as never, name: 'Ada' }, reason: null, uncertain: false, seen: null }
    await expect(bench.undoDesk(dead).begin(await bench.ended(), request)).rejects.toThrow('died')
    await undo.live()
    expect(await now()).toMatchObject({ status: 'analyst_pending', marks: { undos: [{ state: 'undone' }] } })
  })
})

describe('a run that fails', () => {
  const look = call('look', 'get_user', 'ada')
  const open = async (steps: string): Promise<void> => {
    bench = await Bench.open(playbook(steps))
  }

  test('is reported in the log and in its case, with cause and remedy', async () => {
    await open(look)
    await bench.live(() => failing('refused', 'credentials_rejected'))
    expect(await now()).toMatchObject({
      status: 'analyst_pending',
      marks: { failures: [{ run: bench.run, alertId: 'ACME-EDR-1', attempt: 1, code: 'credentials_rejected', step: 'look', retryAt: null }] },
    })
    expect(bench.log.filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({
        msg: 'an investigation has failed',
        organization: 'ACME',
        alert: 'ACME-EDR-1',
        case: (await now()).caseId,
        run: bench.run,
        attempt: 1,
        playbook: 'test',
        step: 'look',
        code: 'credentials_rejected',
        message: 'credentials_rejected (refused)',
      }),
    ])
    // A later attempt that completes clears the failure.
    await bench.retry()
    await bench.live(fine)
    expect((await now()).marks.failures).toEqual([])
    expect(bench.log.filter(({ level }) => level === 'warn')).toHaveLength(1)
  })

  test('and will be retried says when, and its case stays new until no retry follows', async () => {
    await open(look)
    bench.retryDelays = [1_000]
    await bench.live(() => failing('not_sent', 'network'))
    const due = (await bench.ended()).retryAt
    expect(await now()).toMatchObject({ status: 'new', marks: { failures: [{ attempt: 1, retryAt: due }] } })
    expect(bench.log.at(-1)).toMatchObject({ level: 'warn', retry_at: due })
    bench.clock.advance(1_000)
    await bench.retryDue()
    await bench.live(() => failing('not_sent', 'network'))
    expect(await now()).toMatchObject({ status: 'analyst_pending', marks: { failures: [{ attempt: 2, retryAt: null }] } })
  })

  test('whose retry somebody cancels is left to an analyst', async () => {
    await open(look)
    bench.retryDelays = [1_000]
    await bench.live(() => failing('not_sent', 'network'))
    await bench.cancel('A drill')
    expect(await now()).toMatchObject({ status: 'analyst_pending', marks: { failures: [{ retryAt: null }] } })
  })

  test('because somebody cancelled it says who did', async () => {
    await open(`${look}\n${call('then', 'get_user', 'bob')}`)
    await bench.live(async (asked, number) => {
      if (number === 1) await bench.cancel('A drill')
      return fine(asked, number)
    })
    expect(await now()).toMatchObject({
      status: 'analyst_pending',
      marks: { failures: [{ code: 'run_cancelled', message: 'ada cancelled it: A drill' }] },
    })
    expect(bench.log.at(-1)).toMatchObject({ level: 'warn', msg: 'an investigation was cancelled', message: 'ada cancelled it: A drill' })
  })

  test('after it has contained leaves the case contained, and needs attention', async () => {
    await open(`${contain}\n${look}`)
    await bench.live((asked, number) => (asked.skill.id === 'get_user' ? failing('refused', 'credentials_rejected') : fine(asked, number)))
    const found = await now()
    expect([found.status, needsAttention(found.marks)]).toEqual(['contained', true])
  })

  test('lists the writes of earlier executions, even if its last one did not get that far', async () => {
    await open(`${call('one', 'suspend_user', 'ada')}\n${call('two', 'get_user', 'ada')}`)
    await bench.live((asked, number) => {
      if (number === 1) return fine(asked, number)
      throw new Crash()
    })
    bench.swap(playbook('- id: other\n  stop: { outcome: failed }'))
    await bench.live(fine)
    expect(await bench.ended()).toMatchObject({ state: 'failed' })
    expect(await writes()).toEqual(['one stands'])
  })
})

test('a run that completes with a write in doubt leaves the case to an analyst', async () => {
  undo = await UndoBench.ended(`${call('one', 'unpair_user', 'ada')}  on_error: continue\n`, {}, () => failing('unknown', 'network'))
  bench = undo.bench
  await bench.giveUp()
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect(await now()).toMatchObject({ status: 'analyst_pending', marks: { doubts: [{ run: bench.run, writes: 1 }] } })
  const said = (await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'doubt' ? [body.text] : []))
  expect(said).toEqual(['Nobody knows whether this write happened: one. Look in the external system.'])
})
