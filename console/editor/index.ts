import { lazy } from 'react'

export type { Mistake, ShownLine } from './yaml-editor.tsx'

/** The editor and the view of differences. Their code is loaded when somebody opens one. */
export const YamlEditor = lazy(() => import('./yaml-editor.tsx'))
export const TextDifference = lazy(() => import('./text-difference.tsx'))
