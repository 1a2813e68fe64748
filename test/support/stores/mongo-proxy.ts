import { MongoClient } from 'mongodb'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** The MongoDB of the tests behind a wire that can be cut. */
export interface MongoProxy extends TcpProxy {
  /** The same database, by way of the proxy. */
  readonly url: string
}

/** @param url of the set; the proxy leads to the member that it names first */
export async function startMongoProxy(url: string): Promise<MongoProxy> {
  const real = new URL(url.replace(/,[^/]*/, ''))
  const proxy = await startTcpProxy(() => ({ host: real.hostname, port: Number(real.port) }))
  const through = new URL(real)
  through.host = `127.0.0.1:${proxy.port}`
  // A client of the set would ask the member where it is, and go round the proxy.
  through.search = 'directConnection=true'
  return { ...proxy, url: through.href }
}

/** Makes the primary step down. A set of one elects it again after so long. @param seconds at least 1 */
export async function stepDown(url: string, seconds: number): Promise<void> {
  const direct = new URL(url)
  direct.search = 'directConnection=true'
  const client = await MongoClient.connect(direct.href)
  try {
    await client.db('admin').command({ replSetStepDown: seconds, secondaryCatchUpPeriodSecs: 0, force: true })
  } finally {
    await client.close()
  }
}
