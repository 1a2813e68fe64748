import { useCallback, useLayoutEffect, useRef } from 'react'
import { useSearchParams } from 'wouter'

type Changes = Readonly<Record<string, string | readonly string[] | null>>

interface Address {
  /** Returns the value of a parameter. Null: the address does not have it. */
  get(name: string): string | null
  /** Returns all values of a parameter. */
  all(name: string): readonly string[]
  /**
   * Changes parameters. Null and an empty list remove one. The browser's history gets no entry, so "back" leaves the list.
   * Does nothing once the person has gone to another page: a search that still waits must not lead back.
   */
  set(changes: Changes): void
}

/** The state of a list, kept in the address: filters, sort, columns, what is open. A link to it shows the same list. */
export function useAddress(): Address {
  const [params, change] = useSearchParams()
  // While the next page loads, this one is still there, though hidden.
  const shownAt = useRef(location.pathname)
  useLayoutEffect(() => {
    shownAt.current = location.pathname
  })
  const set = useCallback(
    (changes: Changes) => {
      if (location.pathname !== shownAt.current) return
      change(
        (before) => {
          const after = new URLSearchParams(before)
          for (const [name, value] of Object.entries(changes)) {
            after.delete(name)
            for (const one of value === null ? [] : typeof value === 'string' ? [value] : value) after.append(name, one)
          }
          return after
        },
        { replace: true },
      )
    },
    [change],
  )
  return { get: (name) => params.get(name), all: (name) => params.getAll(name), set }
}
