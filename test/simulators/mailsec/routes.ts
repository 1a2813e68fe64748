import { accountRoutes } from './accounts.ts'
import { caseRoutes } from './case-routes.ts'
import { detectionRoutes } from './detection-routes.ts'
import { issueRoutes } from './issues.ts'
import { messageRoutes } from './messages.ts'
import type { Route } from './route.ts'
import { searchRoutes } from './search-routes.ts'
import { trustedRoutes } from './trusted-routes.ts'

/** The resources below each base path. */
export const routes: Readonly<Record<string, readonly Route[]>> = {
  '/api/v1/': [...issueRoutes, ...messageRoutes, ...searchRoutes, ...accountRoutes, ...detectionRoutes, ...trustedRoutes],
  '/api/beta/': caseRoutes,
}
