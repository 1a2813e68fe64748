import { Badge, Group, Text } from '@mantine/core'
import type { JSX, ReactNode } from 'react'
import type { RehearsedCallView, ReplayView } from '../../../runtime/api/index.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { CaseLink, RunLink } from '../../shared/links.tsx'
import { When } from '../../shared/time/time.tsx'
import { count } from '../words.ts'
import { Call } from './calls.tsx'

/** How a replay ended. */
export function verdictOf({ outcome_before: before, outcome_after: after, added, removed, changed }: ReplayView): 'same' | 'different' | 'none' {
  if (after === null) return 'none'
  return before !== after || added.length + removed.length + changed.length > 0 ? 'different' : 'same'
}

const badges = {
  same: { color: 'teal', words: 'the same' },
  different: { color: 'orange', words: 'different' },
  none: { color: 'red', words: 'not replayed' },
} as const

/** What the text would have done in one run, and which writes would be different. */
export function ReplayedRun({ replayed }: { readonly replayed: ReplayView }): JSX.Element {
  const { run_id: run, case_id: caseId, started_at: at, added, removed, changed, missing, assumed, other_plugins: plugins } = replayed
  const { color, words } = badges[verdictOf(replayed)]
  return (
    <div className="told">
      <Group gap={8}>
        <Badge color={color}>{words}</Badge>
        <CaseLink id={caseId} />
        <Text size="xs" c="dimmed" component="span">
          <When at={at} /> · <RunLink id={run} whole />
        </Text>
      </Group>
      <Outcome replayed={replayed} />
      <Calls calls={added} note={<b>new</b>} />
      <Calls calls={removed} note={<b>no longer made</b>} />
      {changed.map((call, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the calls is fixed
        <div key={at}>
          <Call call={call.before} note={<b>before</b>} />
          <Call call={call} note={<b>after</b>} />
        </div>
      ))}
      {missing.length > 0 && (
        <Text size="sm">
          {count(missing.length, 'read')} had no recorded answer, so {missing.length === 1 ? 'one was' : 'answers were'} made up. What follows is a
          guess.
        </Text>
      )}
      {assumed.map(({ step, title }) => (
        <Text key={step} size="sm">
          Taken as approved: <Foreign value={title} />
        </Text>
      ))}
      {plugins.length > 0 && (
        <Text size="sm">
          The run used another version of <Foreign value={plugins.join(', ')} /> than is loaded now.
        </Text>
      )}
    </div>
  )
}

function Outcome({ replayed }: { readonly replayed: ReplayView }): JSX.Element | null {
  const { outcome_before: before, outcome_after: after, note } = replayed
  const why = note !== null && <Foreign value={note} />
  if (after === null) return <Text size="sm">It could not be replayed. {why}</Text>
  if (before !== after)
    return (
      <Text size="sm">
        It was {before}, and would be {after}. {why}
      </Text>
    )
  return verdictOf(replayed) === 'same' ? <Text size="sm">It makes the same writes, and is {after} as before.</Text> : null
}

function Calls({ calls, note }: { readonly calls: readonly RehearsedCallView[]; readonly note: ReactNode }): JSX.Element {
  return (
    <>
      {calls.map((call, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the calls is fixed
        <Call key={at} call={call} note={note} />
      ))}
    </>
  )
}
