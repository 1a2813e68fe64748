import { accountRoutes } from './accounts.ts'
import { caseRoutes } from './cases/case-routes.ts'
import { detectionRoutes } from './detections/detection-routes.ts'
import { issueRoutes } from './issues/issues.ts'
import type { Route } from './route.ts'
import { messageRoutes } from './searches/messages.ts'
import { searchRoutes } from './searches/search-routes.ts'
import { trustedRoutes } from './trusted/trusted-routes.ts'

/** The resources below each base path. */
export const routes: Readonly<Record<string, readonly Route[]>> = {
  '/api/v1/': [...issueRoutes, ...messageRoutes, ...searchRoutes, ...accountRoutes, ...detectionRoutes, ...trustedRoutes],
  '/api/beta/': caseRoutes,
}
