/** Artifacts, stored by digest, and which one is active in each place. */
export { artifactStore } from './artifacts.ts'
