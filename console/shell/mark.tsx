import type { JSX } from 'react'

/** The mark: an alarm bell. */
export function Mark({ size = 26 }: { readonly size?: number }): JSX.Element {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#1d3a5f" />
      <path d="M16 6c-4.4 0-7 3.3-7 7.6V19l-2 3h18l-2-3v-5.4C23 9.3 20.4 6 16 6z" fill="#fff" />
      <circle cx="16" cy="25" r="2.4" fill="#f2a33a" />
    </svg>
  )
}
