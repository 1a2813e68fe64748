import { describe, expect, test } from 'vitest'
import {
  asId,
  type Case,
  type CaseChange,
  type CaseMarks,
  caseAfter,
  emptyDesk,
  mostMarks,
  needsAttention,
  noMarks,
  type RunId,
  supersededBy,
  type TimelineBody,
  type UndoneCounts,
} from '../index.ts'

/** A case and the things that happen to it, in order. */
class Story {
  readonly title = 'MFA fatigue'
  readonly severity = 'high'
  readonly assignee = null
  disposition: Case['disposition'] = 'pending'
  desk = emptyDesk
  status: Case['status'] = 'new'
  summary: string | null = null
  marks: CaseMarks = noMarks
  #at = 0

  #then(body: TimelineBody, change: CaseChange | null = null, person: string | null = null): TimelineBody {
    this.#at += 1
    const actor = person === null ? { run: asId<RunId>('a-r1'), step: '' } : { principal: asId<never>(person) }
    const after = caseAfter(this, { key: `${this.#at}`, at: this.#at, actor, body }, change)
    this.status = after.change.status ?? this.status
    this.disposition = after.change.disposition ?? this.disposition
    this.summary = after.change.summary ?? this.summary
    this.marks = after.marks
    this.desk = after.desk
    return after.entry.body
  }

  playbookSays(change: CaseChange): TimelineBody {
    return this.#then({ kind: 'change', change }, change)
  }
  personRetries(): void {
    this.#then({ kind: 'retry', due: 0, text: 'Ada asked for another investigation.' }, null, 'ada')
  }
  personSays(change: CaseChange): void {
    this.#then({ kind: 'change', change }, change, 'ada')
  }
  /** A run contains the threat and gives its verdict. */
  contained(): this {
    this.playbookSays({ status: 'contained' })
    this.#then({ kind: 'verdict', text: 'Suspended.' }, { summary: 'Suspended.' })
    return this
  }
  undo(undo: string, undoes = 'a-r1'): TimelineBody {
    return this.#then({ kind: 'undo', undoes: asId(undoes), text: '', asked: { undo: asId(undo), by: 'Ada', reason: 'Wrong user' } }, null, 'ada')
  }
  undone(undo: string, counts: Partial<UndoneCounts>, changed: boolean, undoes = 'a-r1'): TimelineBody {
    const all = { undone: 0, standing: 0, inDoubt: 0, ...counts }
    const state = all.inDoubt > 0 ? 'in_doubt' : all.undone === 0 ? 'nothing' : all.standing > 0 ? 'partly' : 'undone'
    const who = { principal: asId<never>('ada'), by: 'Ada', reason: 'Wrong user' }
    return this.#then({ kind: 'undone', undo: asId(undo), undoes: asId(undoes), ...who, state, ...all, changed, text: '' })
  }
  failed(alert: string, attempt = 1, retryAt: number | null = null): TimelineBody {
    const ended = {
      run: asId<RunId>(`${alert}-r${attempt}`),
      alert: asId<never>(alert),
      alertId: alert,
      attempt,
      message: 'No route',
      remedy: null,
      step: 'ask',
      retryAt,
    }
    return this.#then({ kind: 'failure', code: 'network', text: '', ended })
  }
  recovered(alert: string): void {
    this.#then({ kind: 'recovered', alert: asId(alert), text: '' })
  }
  retryDropped(run: string): void {
    this.#then({ kind: 'retry', due: null, text: '', dropped: asId(run) }, null, 'ada')
  }
  doubt(run: string, writes = 1): void {
    this.#then({ kind: 'doubt', run: asId(run), writes, text: '' })
  }
  get attention(): boolean {
    return needsAttention(this.marks)
  }
}

describe('an undo', () => {
  test('removes "contained" when it begins, and records who, when and why with the verdict', () => {
    const story = new Story().contained()
    expect(story.undo('u1')).toMatchObject({ kind: 'undo', status: 'analyst_pending' })
    expect(story.status).toBe('analyst_pending')
    expect(story.attention).toBe(true)
    expect(supersededBy(story.marks)).toMatchObject({
      undo: 'u1',
      undoes: 'a-r1',
      by: 'Ada',
      reason: 'Wrong user',
      state: 'under_way',
      endedAt: null,
    })
    story.undone('u1', { undone: 1 }, true)
    expect(story.status).toBe('analyst_pending')
    expect(supersededBy(story.marks)).toMatchObject({ state: 'undone', undone: 1, endedAt: 4 })
  })

  test.each([
    ['partly', { undone: 1, standing: 2 }],
    ['in_doubt', { inDoubt: 1 }],
    ['in_doubt', { undone: 1, inDoubt: 1 }],
  ] as const)('that ends %s keeps the case out of "contained"', (state, counts) => {
    const story = new Story().contained()
    story.undo('u1')
    story.undone('u1', counts, true)
    expect([story.status, supersededBy(story.marks)?.state]).toEqual(['analyst_pending', state])
  })

  test('that takes nothing back restores the status, keeps the verdict, and needs attention', () => {
    const story = new Story().contained()
    story.undo('u1')
    expect(story.undone('u1', { standing: 1 }, false)).toMatchObject({ status: 'contained' })
    expect([story.status, supersededBy(story.marks), story.attention]).toEqual(['contained', null, true])
  })

  test('leaves any status but "contained" as it is', () => {
    for (const status of ['new', 'in_progress', 'analyst_pending', 'customer_pending', 'closed'] as const) {
      const story = new Story().contained()
      story.personSays({ status })
      story.undo('u1')
      story.undone('u1', { undone: 1 }, true)
      expect(story.status).toBe(status)
      expect(supersededBy(story.marks)?.state).toBe('undone')
    }
  })

  test('supersedes no verdict if there is none', () => {
    const story = new Story()
    story.playbookSays({ status: 'contained' })
    story.undo('u1')
    story.undone('u1', { undone: 1 }, true)
    expect([story.status, supersededBy(story.marks), story.attention]).toEqual(['analyst_pending', null, true])
  })

  test('overrides a status and verdict given while it was under way', () => {
    const story = new Story().contained()
    story.undo('u1')
    story.contained()
    expect(story.status).toBe('contained')
    story.undone('u1', { undone: 1 }, true)
    expect([story.status, supersededBy(story.marks)?.state]).toEqual(['analyst_pending', 'undone'])
  })

  test('does not restore the status if somebody set it while the undo was under way', () => {
    const story = new Story().contained()
    story.undo('u1')
    story.personSays({ status: 'closed' })
    story.undone('u1', { standing: 1 }, false)
    expect(story.status).toBe('closed')
    const other = new Story().contained()
    other.undo('u1')
    other.personSays({ status: 'in_progress' })
    other.personSays({ status: 'analyst_pending' })
    other.undone('u1', { standing: 1 }, false)
    expect(other.status).toBe('analyst_pending')
  })

  test('after a partial undo describes the result for the whole run', () => {
    const story = new Story().contained()
    story.undo('u1')
    story.undone('u1', { undone: 1, standing: 1 }, true)
    story.undo('u2')
    story.undone('u2', { undone: 2 }, true)
    expect(story.marks.undos).toMatchObject([{ undo: 'u2', state: 'undone', undone: 2 }])
    // The second undo took nothing back. What the first one took back is still gone.
    const other = new Story().contained()
    other.undo('u1')
    other.undone('u1', { undone: 1, standing: 1 }, true)
    other.undo('u2')
    other.undone('u2', { undone: 1, standing: 1 }, false)
    expect([other.status, supersededBy(other.marks)?.undo]).toEqual(['analyst_pending', 'u2'])
  })
})

describe('two undos at once, of runs that share a case', () => {
  const both = (): Story => {
    const story = new Story().contained()
    story.undo('u1')
    story.undo('v1', 'b-r1')
    return story
  }
  test('if neither takes anything back, the case is contained again once the last has ended', () => {
    const story = both()
    story.undone('u1', { standing: 1 }, false)
    expect(story.status).toBe('analyst_pending')
    story.undone('v1', { standing: 1 }, false, 'b-r1')
    expect(story.status).toBe('contained')
  })
  test.each([
    ['u1', 'v1'],
    ['v1', 'u1'],
  ])('if %s takes something back, the case is not contained, whatever the other does', (taking, other) => {
    const of = (undo: string) => (undo === 'u1' ? 'a-r1' : 'b-r1')
    const story = both()
    story.undone(taking, { undone: 1 }, true, of(taking))
    story.undone(other, { standing: 1 }, false, of(other))
    expect([story.status, supersededBy(story.marks)?.undo]).toEqual(['analyst_pending', taking])
    const late = both()
    late.undone(other, { standing: 1 }, false, of(other))
    late.undone(taking, { undone: 1 }, true, of(taking))
    expect([late.status, supersededBy(late.marks)?.undo]).toEqual(['analyst_pending', taking])
  })
})

test('a later run that contains again restores the status with its step and the verdict with its verdict', () => {
  const story = new Story().contained()
  story.undo('u1')
  story.undone('u1', { undone: 1 }, true)
  story.playbookSays({ status: 'contained' })
  expect([story.status, story.attention, supersededBy(story.marks)?.undo]).toEqual(['contained', false, 'u1'])
  story.contained()
  expect([story.status, story.marks]).toEqual(['contained', noMarks])
})

describe('a failed attempt', () => {
  test('hands the case to an analyst, and needs attention until a later attempt completes', () => {
    const story = new Story()
    expect(story.failed('alert')).toMatchObject({ status: 'analyst_pending' })
    expect([story.status, story.attention]).toEqual(['analyst_pending', true])
    story.failed('alert', 2)
    expect(story.marks.failures).toMatchObject([{ run: 'alert-r2', attempt: 2, code: 'network', step: 'ask' }])
    story.recovered('alert')
    expect(story.attention).toBe(false)
  })

  test('leaves another status as it is, and still needs attention', () => {
    const story = new Story().contained()
    expect(story.failed('alert')).not.toHaveProperty('status')
    expect([story.status, story.attention]).toEqual(['contained', true])
  })

  test('waits for its automatic retry, unless somebody cancels that', () => {
    const story = new Story()
    story.failed('alert', 1, 9_000)
    expect([story.status, story.marks.failures[0]?.retryAt]).toEqual(['new', 9_000])
    story.retryDropped('alert-r1')
    expect([story.status, story.marks.failures[0]?.retryAt]).toEqual(['analyst_pending', null])
  })

  test('of one alert does not hide one of another alert in the same case', () => {
    const story = new Story()
    story.failed('one')
    story.failed('other')
    story.recovered('one')
    expect(story.marks.failures.map(({ alertId }) => alertId)).toEqual(['other'])
  })
})

test('a person who sets the status clears the marks; a playbook does not', () => {
  const story = new Story()
  story.failed('alert')
  story.doubt('alert-r1', 2)
  story.playbookSays({ status: 'contained' })
  story.personSays({ assignee: 'ada' })
  expect(story.attention).toBe(true)
  story.personSays({ status: 'in_progress' })
  expect([story.status, story.marks]).toEqual(['in_progress', noMarks])
})

test('writes in doubt need attention even if the run completed', () => {
  const story = new Story()
  story.doubt('alert-r1', 2)
  expect([story.status, story.marks.doubts]).toEqual(['analyst_pending', [{ run: 'alert-r1', at: 1, writes: 2 }]])
})

test('the number of marks is limited, however many alerts join a case', () => {
  const story = new Story()
  for (let index = 0; index < mostMarks * 3; index += 1) {
    story.failed(`alert ${index}`)
    story.doubt(`run ${index}`)
    story.undo(`u${index}`, `run ${index}`)
  }
  expect(Object.values(story.marks).map((marks) => marks.length)).toEqual([mostMarks, mostMarks, mostMarks])
})

describe('a closed case', () => {
  test('a run that was under way does not open a case that a person closed, nor change its disposition', () => {
    const story = new Story()
    story.personSays({ status: 'closed', disposition: 'malicious' })
    const told = story.playbookSays({ status: 'analyst_pending', disposition: 'pending', severity: 'high' })
    expect(story).toMatchObject({ status: 'closed', disposition: 'malicious' })
    expect(told).toEqual({
      kind: 'change',
      change: { severity: 'high' },
      before: { severity: 'high' },
      withheld: { status: 'analyst_pending', disposition: 'pending' },
    })
  })

  test('after a person asked for another investigation, or opened the case again, a run sets the status as before', () => {
    const retried = new Story()
    retried.personSays({ status: 'closed' })
    retried.personRetries()
    retried.playbookSays({ status: 'contained' })
    expect(retried.status).toBe('contained')
    const opened = new Story()
    opened.personSays({ status: 'closed' })
    opened.personSays({ status: 'in_progress' })
    opened.playbookSays({ status: 'contained' })
    expect(opened.status).toBe('contained')
  })

  test('a case that its playbook closed can be opened by it', () => {
    const story = new Story()
    story.playbookSays({ status: 'closed' })
    story.playbookSays({ status: 'analyst_pending' })
    expect(story.status).toBe('analyst_pending')
  })
})
