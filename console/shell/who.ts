import { createContext, useContext } from 'react'
import type { SignedInView } from '../../runtime/api/index.ts'

export type Permission = SignedInView['scopes'][number]

const Who = createContext<SignedInView | null>(null)
export const WhoProvider = Who.Provider

/** Returns who is signed in. */
export function useWho(): SignedInView {
  const who = useContext(Who)
  if (!who) throw new Error('Only pages of a signed-in person can ask who is signed in.')
  return who
}

/** Returns a function that says whether the key has a permission. What it may not do is not offered. */
export function useMay(): (permission: Permission) => boolean {
  const { scopes } = useWho()
  return (permission) => scopes.includes(permission)
}
