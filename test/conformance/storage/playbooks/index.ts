/** What every store must do with artifacts, and with which one is active in each place. */
export { artifactCases } from './artifacts.ts'
