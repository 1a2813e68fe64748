import { Badge, Button, Group, SegmentedControl, Text } from '@mantine/core'
import { type JSX, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { CaseDetailsView, TimelineEntryView } from '../../../runtime/api/index.ts'
import { lineOf } from '../../context/timeline-line.ts'
import { useAddress } from '../../shared/address.ts'
import { Foreign, Json } from '../../shared/foreign.tsx'
import { runName } from '../../shared/ids/run-name.ts'
import { addressOf, RunLink } from '../../shared/links.tsx'
import { When } from '../../shared/time/time.tsx'
import { Folded } from '../folded.tsx'
import { wordFor } from '../words.ts'
import { useTimelineEntries } from './entries.ts'

type Kind = TimelineEntryView['kind']

const people: readonly Kind[] = ['comment', 'change', 'tags', 'task', 'link', 'merge', 'undo', 'cancelled', 'decision']
const changes: readonly Kind[] = ['change', 'tags', 'task', 'link', 'merge', 'verdict', 'undone']
const views = {
  all: { name: 'All', fits: (_: TimelineEntryView) => true },
  people: { name: 'People', fits: ({ kind, actor }: TimelineEntryView) => people.includes(kind) && actor.principal_uuid !== undefined },
  comments: { name: 'Comments', fits: ({ kind }: TimelineEntryView) => kind === 'comment' },
  changes: { name: 'Change log', fits: ({ kind, status }: TimelineEntryView) => changes.includes(kind) || status !== undefined },
} as const
type View = keyof typeof views

const colours: Partial<Record<Kind, string>> = {
  action: 'harbour',
  failure: 'red',
  doubt: 'orange',
  undo: 'orange',
  undone: 'orange',
  decision: 'grape',
  comment: 'blue',
  finding: 'yellow',
  verdict: 'teal',
  protected: 'orange',
}

/** How many entries are drawn at first, and with each "Show earlier entries". */
const step = 100
/** The address may name an older entry. To find it, the page reads at most this many pages of earlier entries. */
const mostSearched = 20

/**
 * What happened in a case, latest first. Runs and people are named on every line. If the address names an entry, as the link of a mention
 * does, it is scrolled to and marked.
 */
export function Timeline({ found }: { readonly found: CaseDetailsView }): JSX.Element {
  const address = useAddress()
  const chosen = address.get('timeline') ?? 'all'
  const view: View = chosen in views ? (chosen as View) : 'all'
  const [drawn, setDrawn] = useState(step)
  const { entries: all, more: rest, pages, reading, failed, readEarlier } = useTimelineEntries(found)
  const shown = all.filter(views[view].fits)
  const wanted = address.get('entry')
  const place = wanted === null ? -1 : shown.findIndex(({ id }) => id === wanted)
  const many = Math.max(drawn, place + 1)
  const more = many < shown.length
  const searching = wanted !== null && !all.some(({ id }) => id === wanted) && rest && pages < mostSearched
  useEffect(() => {
    if (searching && !reading && !failed) readEarlier()
  })
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Entries"
        value={view}
        onChange={(next) => address.set({ timeline: next === 'all' ? null : next })}
        data={Object.entries(views).map(([value, { name }]) => ({ value, label: name }))}
        mb="xs"
      />
      <ol className="case-timeline">
        {shown.slice(0, many).map((entry) => (
          <Entry key={entry.id} entry={entry} wanted={entry.id === wanted} />
        ))}
      </ol>
      {shown.length === 0 && (
        <Text size="sm" c="dimmed">
          No entry is of this kind.
        </Text>
      )}
      {(more || rest) && (
        <Button
          size="xs"
          variant="default"
          loading={reading}
          onClick={() => {
            setDrawn(many + step)
            if (!more) readEarlier()
          }}
        >
          Show earlier entries
        </Button>
      )}
    </>
  )
}

function Entry({ entry, wanted }: { readonly entry: TimelineEntryView; readonly wanted: boolean }): JSX.Element {
  const { kind, at, evidence, status, undoes, other_case: other } = entry
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!wanted) return
    line.current?.scrollIntoView({ block: 'center' })
    line.current?.focus({ preventScroll: true })
  }, [wanted])
  return (
    <li ref={line} tabIndex={wanted ? -1 : undefined} aria-current={wanted || undefined}>
      <Group gap={8} align="baseline">
        <Text size="xs" c="dimmed" component="span">
          <When at={at} />
        </Text>
        <Badge size="sm" color={colours[kind] ?? 'gray'}>
          {kind}
        </Badge>
        <Text size="xs" c="dimmed" component="span">
          <By entry={entry} />
        </Text>
      </Group>
      <div className="case-line">
        <Folded value={textOf(entry)} />
        {kind === 'decision' && entry.decision !== undefined && (
          <>
            {' '}
            <Link href={addressOf.decision(entry.decision)}>open the decision</Link>
          </>
        )}
        {(kind === 'undo' || kind === 'undone') && undoes !== undefined && (
          <>
            {' '}
            <Link href={addressOf.run(undoes)} title={undoes}>
              open the run
            </Link>
          </>
        )}
        {other !== undefined && (
          <>
            {' '}
            <Link href={addressOf.case(other.case_id)}>open the other case</Link>
          </>
        )}
        {status !== undefined && <Text size="xs">The case is now: {wordFor('status', status)}.</Text>}
      </div>
      {evidence !== undefined && evidence !== null && (
        <details>
          <summary>Evidence</summary>
          <Json value={evidence} label="Evidence" />
        </details>
      )}
    </li>
  )
}

/** Who wrote an entry: a person, or a run with the person for whom it undoes. */
function By({ entry: { actor, by } }: { readonly entry: TimelineEntryView }): JSX.Element | null {
  if (actor.principal_uuid !== undefined) return <Foreign value={actor.name ?? actor.principal_uuid} />
  if (actor.run === undefined) return null
  const asked = actor.name ?? by?.join(', ')
  return (
    <>
      <RunLink id={actor.run} />
      {asked !== undefined && asked !== '' && (
        <>
          , for <Foreign value={asked} />
        </>
      )}
      {actor.step !== undefined && actor.step !== '' && (
        <>
          , step <Foreign value={actor.step} />
        </>
      )}
    </>
  )
}

/** The line of an entry. Who wrote it is shown before it. */
function textOf(entry: TimelineEntryView): string {
  const { kind, text, change, before, act, other_case, added = [], removed = [] } = entry
  const refused = entry.refused ? 'could not be ' : ''
  switch (kind) {
    case 'comment':
      return text ?? ''
    case 'undo':
      return `requested to undo ${runName(entry.undoes ?? '')}: ${text ?? ''}`
    case 'change':
      return [changeText(change, before), withheldText(entry.withheld)].filter((part) => part !== '').join('; ')
    case 'tags':
      return (refused && `${refused}changed: `) + [...added.map((tag) => `+${tag}`), ...removed.map((tag) => `−${tag}`)].join('  ')
    case 'task':
      return `${refused}${act ?? ''}: ${text ?? ''}`
    case 'link':
    case 'merge':
      return `${refused}${connected[`${kind} ${act ?? ''}`] ?? act ?? ''} ${other_case?.case_id ?? ''}${text ? `: ${text}` : ''}`
    default:
      return lineOf(entry)
  }
}

const connected: Readonly<Record<string, string>> = {
  'link added': 'linked to',
  'link removed': 'no longer linked to',
  'merge into': 'merged into',
  'merge absorbed': 'took in',
  'merge taken_back': 'no longer merged into',
  'merge released': 'gave back',
}

function withheldText(withheld: unknown): string {
  return withheld === undefined ? '' : `not set, because a person had closed the case: ${changeText(withheld, null)}`
}

function changeText(change: unknown, before: unknown): string {
  const was = (before ?? {}) as Readonly<Record<string, unknown>>
  const fields = Object.entries((change ?? {}) as object)
  // A playbook may also set what the case already has.
  const changed = fields.filter(([field, value]) => !(field in was) || was[field] !== value)
  return (changed.length > 0 ? changed : fields)
    .map(([field, value]) => `${field}: ${field in was ? `${wordFor(field, was[field])} → ` : ''}${wordFor(field, value)}`)
    .join(', ')
}
