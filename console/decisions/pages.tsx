import type { JSX } from 'react'
import { Route, Switch } from 'wouter'
import { useWho } from '../shell/who.ts'
import { DecisionPage } from './decision-page.tsx'
import { DecisionList } from './list.tsx'

/** The pages of decisions. */
export default function DecisionPages(): JSX.Element {
  const who = useWho()
  return (
    <Switch>
      <Route path="/decisions">
        <DecisionList />
      </Route>
      <Route path="/decisions/:id">{({ id }) => <DecisionPage key={id} id={id} who={who} />}</Route>
    </Switch>
  )
}
