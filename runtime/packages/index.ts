/**
 * Packages that are loaded when they are first needed, because a start needs none of them until it listens (decision 76). `loadPackages` loads
 * them all, so that the first alert need not wait. All other packages are imported as usual.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

function onDemand<T>(name: string): () => T {
  let loaded: T | null = null
  return () => (loaded ??= require(name) as T)
}

export const ajv = onDemand<typeof import('ajv')>('ajv')
export const ajv2020 = onDemand<typeof import('ajv/dist/2020.js')>('ajv/dist/2020.js')
export const ajvFormats = onDemand<typeof import('ajv-formats')>('ajv-formats')
export const yaml = onDemand<typeof import('yaml')>('yaml')
export const swagger = onDemand<typeof import('@fastify/swagger')>('@fastify/swagger')
export const promClient = onDemand<typeof import('prom-client')>('prom-client')
/** This package and the next three are loaded only if traces go to a collector. */
export const otelApi = onDemand<typeof import('@opentelemetry/api')>('@opentelemetry/api')
export const otelTraces = onDemand<typeof import('@opentelemetry/sdk-trace')>('@opentelemetry/sdk-trace')
export const otelResources = onDemand<typeof import('@opentelemetry/resources')>('@opentelemetry/resources')
export const otelTraceExporter = onDemand<typeof import('@opentelemetry/exporter-trace-otlp-http')>('@opentelemetry/exporter-trace-otlp-http')

export const jsonStringify = onDemand<typeof import('@fastify/fast-json-stringify-compiler')>('@fastify/fast-json-stringify-compiler')

/** Loads the packages, each in a turn of the event loop of its own, and none in this one. */
export async function loadPackages(): Promise<void> {
  for (const load of [promClient, ajv2020, ajvFormats, yaml, ajv, jsonStringify, swagger]) {
    await new Promise((resolve) => setImmediate(resolve))
    load()
  }
}
