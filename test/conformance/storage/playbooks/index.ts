/** What every store must do with artifacts by digest, and which one is active in each place. */
export { artifactCases } from './artifacts.ts'
