/** Parses YAML within limits, and keeps the line and column of everything. */
export * from './parse.ts'
