import baseStyles from '@xyflow/react/dist/base.css?url'
import { type JSX, lazy, Suspense } from 'react'
import { Loading } from '../shared/states.tsx'
import { loadStyles } from '../shared/styles.ts'
import ownStyles from './graph.css?url'
import type { GraphViewProps } from './props.ts'

const Lazy = lazy(async () => {
  const [{ GraphView }] = await Promise.all([import('./graph-view.tsx'), loadStyles(baseStyles).then(() => loadStyles(ownStyles))])
  return { default: GraphView }
})

/**
 * A playbook or a run as a graph with automatic layout. The code loads when the first graph is
 * shown. It fills the place that it gets, so its parent needs a height.
 *
 * ```tsx
 * <div style={{ height: 560 }}>
 *   <Graph graph={drawn.graph} selected={address} onSelect={setAddress} label="Playbook mfa-fatigue" />
 * </div>
 * ```
 */
export function Graph(props: GraphViewProps): JSX.Element {
  return (
    <Suspense fallback={<Loading what="Loading the graph" />}>
      <Lazy {...props} />
    </Suspense>
  )
}
