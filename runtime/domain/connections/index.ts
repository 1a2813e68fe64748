/** Credentials for external systems, and the access tokens obtained with them. */
export * from './access-token.ts'
export * from './connection.ts'
export * from './remote-agent.ts'
