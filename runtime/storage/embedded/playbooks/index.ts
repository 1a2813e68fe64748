/** Artifacts, stored by digest, and which one is active in each place. */
export { artifactTable } from './artifacts.ts'
