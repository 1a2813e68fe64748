import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent, JSX } from 'react'
import type { SignedInView } from '../runtime/api/index.ts'
import { ask } from './api/ask.ts'
import { me } from './api/queries.ts'
import { ProblemNote } from './shared/problem.tsx'

/** The sign-in form. It exchanges the key for a cookie that no script can read. The page does not store the key. */
export function SignIn(): JSX.Element {
  const queries = useQueryClient()
  const signIn = useMutation({
    mutationFn: (key: string) => ask<SignedInView>('POST', '/console/sign-in', { key }),
    onSuccess: (who) => queries.setQueryData(me.queryKey, who),
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const key = new FormData(event.currentTarget).get('key')
    if (typeof key === 'string' && key !== '') signIn.mutate(key)
  }
  return (
    <main className="sign-in">
      <h1>Tocsin</h1>
      <form onSubmit={submit}>
        <label htmlFor="key">API key</label>
        <input id="key" name="key" type="password" autoComplete="current-password" required />
        <p className="quiet">
          Use your own key: your answers are recorded under its name. It needs the scopes <code>decisions:read</code> and{' '}
          <code>decisions:answer</code>. An administrator creates it with <code>tocsin key create</code>.
        </p>
        <button type="submit" disabled={signIn.isPending}>
          Sign in
        </button>
      </form>
      {signIn.error && <ProblemNote error={signIn.error} />}
    </main>
  )
}
