import { Paper, SegmentedControl, Text } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type JSX, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { RunDetailsView, RunStepView } from '../../runtime/api/index.ts'
import { useAddress } from '../shared/address.ts'
import { scaled } from '../shared/font-size.ts'
import { Foreign } from '../shared/foreign.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Empty, Loading } from '../shared/states.tsx'
import { StepRow } from './step-row.tsx'
import { useSteps } from './use-steps.ts'

/** In pixels for text of the usual size. */
const rowHeight = 52

interface TimelineProps {
  readonly run: RunDetailsView
  /** The address of the chosen step. */
  readonly chosen: string | null
  /** Whether the chosen step gets the focus, because somebody followed a link to it. */
  readonly focused: boolean
  readonly onChoose: (address: string) => void
}

/** The steps of a run in the order of the playbook. Iterations of a loop that went the same way are shown once, unless somebody asks for all. */
export function Timeline({ run, chosen, focused, onChoose }: TimelineProps): JSX.Element {
  const { set } = useAddress()
  const { steps, total, note, pending, error, loops, at, show } = useSteps(run, chosen)
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: steps.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => scaled(rowHeight),
    getItemKey: (index) => steps[index]?.address ?? index,
    overscan: 10,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => show(last))

  /** The step that the page has scrolled to. While a run goes on, the page does not scroll to it again. */
  const shown = useRef<string | null>(null)
  const focus = useRef<string | null>(null)
  useEffect(() => {
    if (chosen === null) shown.current = null
    if (at < 0 || chosen === shown.current) return
    shown.current = chosen
    virtual.scrollToIndex(at, { align: 'auto' })
    if (!focused) return
    focus.current = chosen
    scroller.current?.closest('.run-steps')?.scrollIntoView({ block: 'nearest' })
  }, [at, chosen, focused, virtual])
  const focusOnce = (address: string) => (row: HTMLButtonElement | null) => {
    if (!row || focus.current !== address) return
    focus.current = null
    row.focus({ preventScroll: true })
  }
  useStill(scroller, steps)
  return (
    <Paper withBorder className="run-timeline" component="section" aria-label="Timeline">
      <div className="run-timeline-head">
        <Text size="sm" fw={600}>
          {pending || error ? 'Steps' : `${total} ${total === 1 ? 'step' : 'steps'}`}
        </Text>
        {run.undoes === null && (
          <SegmentedControl
            size="xs"
            aria-label="Iterations of loops"
            value={loops}
            onChange={(value) => set({ loops: value === 'all' ? 'all' : null })}
            data={[
              { value: 'grouped', label: 'Loops grouped' },
              { value: 'all', label: 'Every iteration' },
            ]}
          />
        )}
      </div>
      {note !== null && (
        <Text size="xs" c="dimmed" px="sm" pb="xs">
          <Foreign value={note} />
        </Text>
      )}
      {error && <ProblemNote error={error} />}
      {pending && <Loading what="Replaying the run over its journal" />}
      {!pending && !error && steps.length === 0 && <Empty title="The run has not reached a step yet" />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable with the keyboard (WCAG 2.2, 2.1.1) */}
      <div className="run-timeline-list" ref={scroller} tabIndex={0}>
        <ol style={{ height: virtual.getTotalSize() }}>
          {items.map(({ key, index, start }) => {
            const step = steps[index]
            return (
              step && (
                <li key={key} style={{ transform: `translateY(${start}px)`, height: rowHeight }} aria-setsize={total} aria-posinset={index + 1}>
                  <StepRow step={step} chosen={index === at} onChoose={onChoose} ref={focusOnce(step.address)} />
                </li>
              )
            )
          })}
        </ol>
      </div>
    </Paper>
  )
}

/** Keeps the rows in view where they are when others appear above them. */
function useStill(scroller: RefObject<HTMLDivElement | null>, steps: readonly RunStepView[]): void {
  const before = useRef(steps)
  useLayoutEffect(() => {
    const [list, were] = [scroller.current, before.current]
    before.current = steps
    if (!list || were === steps || list.scrollTop === 0) return
    const index = Math.floor(list.scrollTop / rowHeight)
    const now = steps.findIndex(({ address }) => address === were[index]?.address)
    if (now >= 0) list.scrollTop += (now - index) * rowHeight
  }, [scroller, steps])
}
