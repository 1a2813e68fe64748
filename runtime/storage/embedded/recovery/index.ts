/** Backups, rescued copies, and how to continue after part of the data was lost. */
export { acceptLoss } from './accept-loss.ts'
export { backUp, examine } from './back-up.ts'
