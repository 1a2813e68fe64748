import { type ComponentType, type JSX, lazy, Suspense } from 'react'
import { Link, Redirect, Route, Switch } from 'wouter'
import { Page } from '../shared/page.tsx'
import { Forbidden, Loading } from '../shared/states.tsx'
import { PageBoundary } from './boundary.tsx'
import { type Permission, useMay } from './who.ts'

/** A group of pages, loaded when somebody opens one of them. */
interface PageGroup {
  /** The first segment of their addresses. */
  readonly path: string
  readonly needs: Permission | null
  readonly Pages: ComponentType
}

/** The groups of pages. Each has one component, which routes the addresses below its path (`/alerts`, `/alerts/:id`). */
const groups: readonly PageGroup[] = [
  { path: '/cases', needs: 'cases:read', Pages: lazy(() => import('../cases/pages.tsx')) },
  { path: '/home', needs: null, Pages: lazy(() => import('../home/pages.tsx')) },
  { path: '/alerts', needs: 'alerts:read', Pages: lazy(() => import('../alerts/pages.tsx')) },
  { path: '/decisions', needs: 'decisions:read', Pages: lazy(() => import('../decisions/pages.tsx')) },
  { path: '/integrations', needs: 'connections:read', Pages: lazy(() => import('../integrations/pages.tsx')) },
  { path: '/playbooks', needs: 'playbooks:read', Pages: lazy(() => import('../playbooks/pages.tsx')) },
  { path: '/runs', needs: 'runs:read', Pages: lazy(() => import('../runs/pages.tsx')) },
  { path: '/settings', needs: null, Pages: lazy(() => import('../settings/pages.tsx')) },
  { path: '/start', needs: null, Pages: lazy(() => import('../start/pages.tsx')) },
  { path: '/gallery', needs: null, Pages: lazy(() => import('../gallery/pages.tsx')) },
]

/** The page of the current address. */
export function Pages(): JSX.Element {
  return (
    <PageBoundary>
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path="/">
            <Redirect to="/home" replace />
          </Route>
          {groups.map((group) => (
            <Route key={group.path} path={`${group.path}/*?`}>
              <Allowed group={group} />
            </Route>
          ))}
          <Route>
            <Page title="Nothing is here">
              <p>
                The console has no page with this address. <Link href="/">Go to the first page</Link>.
              </p>
            </Page>
          </Route>
        </Switch>
      </Suspense>
    </PageBoundary>
  )
}

function Allowed({ group: { needs, Pages: Group } }: { readonly group: PageGroup }): JSX.Element {
  const may = useMay()
  return needs !== null && !may(needs) ? <Forbidden needs={needs} /> : <Group />
}
