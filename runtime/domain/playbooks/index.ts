/** The texts that runs are made of, by digest, and which of them is active in each place. */
export * from './artifact.ts'
