import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Link, Redirect, Route, Switch } from 'wouter'
import type { SignedInView } from '../runtime/api/index.ts'
import { ask } from './api/ask.ts'
import { me } from './api/queries.ts'
import { Refused } from './api/refused.ts'
import { DecisionPage } from './decisions/decision-page.tsx'
import { DecisionList } from './decisions/list.tsx'
import { ProblemNote } from './shared/problem.tsx'
import { Text } from './shared/text.tsx'
import { SignIn } from './sign-in.tsx'

/** The console: its pages for a person who is signed in, else the sign-in form. */
export function App(): JSX.Element {
  const { data, error, isPending } = useQuery(me)
  if (isPending) return <p className="quiet">Loading …</p>
  if (data) return <Pages who={data} />
  if (error instanceof Refused && error.problem.status === 401) return <SignIn />
  return <ProblemNote error={error} />
}

function Pages({ who }: { readonly who: SignedInView }): JSX.Element {
  return (
    <>
      <header>
        <Link href="/decisions" className="name">
          Tocsin
        </Link>
        <nav>
          <Link href="/decisions">Decisions</Link>
        </nav>
        <SignedIn name={who.name} />
      </header>
      <main>
        <Switch>
          <Route path="/decisions">
            <DecisionList />
          </Route>
          <Route path="/decisions/:id">{({ id }) => <DecisionPage key={id} id={id} who={who} />}</Route>
          <Route>
            <Redirect to="/decisions" replace />
          </Route>
        </Switch>
      </main>
    </>
  )
}

function SignedIn({ name }: { readonly name: string }): JSX.Element {
  const queries = useQueryClient()
  const signOut = useMutation({
    mutationFn: () => ask<undefined>('POST', '/console/sign-out'),
    // The next person must not see the data of this one.
    onSuccess: () => {
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== me.queryKey[0] })
      return queries.resetQueries({ queryKey: me.queryKey })
    },
  })
  return (
    <div className="who">
      <Text value={name} />
      <button type="button" onClick={() => signOut.mutate()} disabled={signOut.isPending}>
        Sign out
      </button>
      {signOut.error && <ProblemNote error={signOut.error} />}
    </div>
  )
}
