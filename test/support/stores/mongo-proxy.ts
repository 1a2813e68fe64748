import { MongoClient, MongoServerError } from 'mongodb'
import { until } from '../until.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** The MongoDB of the tests, behind a proxy that a test can cut. */
export interface MongoProxy extends TcpProxy {
  /** The URL of the same database through the proxy. */
  readonly url: string
}

/** Starts the proxy. @param url of the replica set; of several members, the proxy leads to the one that is the primary now */
export async function startMongoProxy(url: string): Promise<MongoProxy> {
  // `URL` reads one host only.
  const real = new URL(url.replace(/,[^/]*/, ''))
  if (url.includes(',')) real.host = await primaryOf(url)
  const proxy = await startTcpProxy(() => ({ host: real.hostname, port: Number(real.port) }))
  const through = new URL(real)
  through.host = `127.0.0.1:${proxy.port}`
  // A client of the set would ask the member for its address and bypass the proxy.
  through.search = 'directConnection=true'
  return { ...proxy, url: through.href }
}

/** Returns the host and the port of the primary, as the members name it. */
export async function primaryOf(url: string): Promise<string> {
  const client = await MongoClient.connect(url)
  const { primary } = await client
    .db('admin')
    .command({ hello: 1 })
    .finally(() => client.close())
  return String(primary)
}

/** It is no primary: it has not been elected again since the last time. */
const noPrimary = 10_107
/** A busy server did not step down within the seconds. */
const tooBusy = 262

/** Makes the primary step down. A set with one member elects it again after this time. @param seconds at least 1 */
export async function stepDown(url: string, seconds: number): Promise<void> {
  const direct = new URL(url)
  direct.search = 'directConnection=true'
  const client = await MongoClient.connect(direct.href)
  try {
    await until(() =>
      client
        .db('admin')
        .command({ replSetStepDown: seconds, secondaryCatchUpPeriodSecs: 0, force: true })
        .catch((error: unknown) => {
          if (error instanceof MongoServerError && [noPrimary, tooBusy].includes(Number(error.code))) return null
          throw error
        }),
    )
  } finally {
    await client.close()
  }
}
