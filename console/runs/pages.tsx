import type { JSX } from 'react'
import { Route, Switch } from 'wouter'
import { RunList } from './list.tsx'
import { RunPage } from './run-page.tsx'

/** The pages of runs. */
export default function RunPages(): JSX.Element {
  return (
    <Switch>
      <Route path="/runs">
        <RunList />
      </Route>
      <Route path="/runs/:id">{({ id }) => <RunPage key={id} id={id} />}</Route>
    </Switch>
  )
}
