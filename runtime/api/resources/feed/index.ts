/** The feed: a stream of server-sent events that tell which objects have changed. */
export { type FeedChangesSchema, feedRoutes } from './routes.ts'
