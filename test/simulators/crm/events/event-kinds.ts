import { idOf } from '../org/ids.ts'
import { organizationId } from '../org/org.ts'

/** A column of an event log file. Gives the value in row `n` of a file whose log begins at `start`. */
export interface Column {
  readonly name: string
  readonly type: 'String' | 'Number' | 'DateTime' | 'Id'
  readonly value: (n: number, start: number) => string
}

/** Formats a time as in TIMESTAMP: `yyyyMMddHHmmss.SSS`. */
function compact(time: number): string {
  return new Date(time).toISOString().replace(/[-:TZ]/g, '')
}

const at = (n: number, start: number): number => start + (n % 86_400) * 1000
const text = (name: string, value: Column['value']): Column => ({ name, type: 'String', value })

function columns(type: string, more: readonly Column[]): readonly Column[] {
  return [
    text('EVENT_TYPE', () => type),
    { name: 'TIMESTAMP', type: 'DateTime', value: (n, start) => compact(at(n, start)) },
    text('REQUEST_ID', (n) => `4${String(n).padStart(12, '0')}-x${n % 97}`),
    { name: 'ORGANIZATION_ID', type: 'Id', value: () => organizationId.slice(0, 15) },
    { name: 'USER_ID', type: 'Id', value: (n) => idOf('005', (n % 5) + 1).slice(0, 15) },
    { name: 'RUN_TIME', type: 'Number', value: (n) => String(10 + (n % 400)) },
    ...more,
    { name: 'TIMESTAMP_DERIVED', type: 'DateTime', value: (n, start) => new Date(at(n, start)).toISOString() },
  ]
}

const clientIp = text('CLIENT_IP', (n) => (n % 10 === 3 ? '' : `203.0.113.${n % 250}`))
const uri = text('URI', (n) => `/page/${n % 30}?a="${n}",b`)

/** Some of the platform's kinds of event log files, with their columns. */
export const eventKinds: Readonly<Record<string, readonly Column[]>> = {
  Login: columns('Login', [
    uri,
    text('USER_NAME', (n) => `${['ivy.integration', 'ada.lovelace', 'grace.hopper', 'conor.obrien', 'zo.mller'][n % 5]}@acme.example`),
    text('LOGIN_STATUS', (n) => (n % 9 === 0 ? 'LOGIN_ERROR_INVALID_PASSWORD' : 'LOGIN_NO_ERROR')),
    text('SOURCE_IP', (n) => `198.51.100.${n % 250}`),
    text('BROWSER_TYPE', (n) => (n % 11 === 0 ? 'Browser, "odd"\nsecond line, Zoë' : 'Browser 1.0')),
    clientIp,
  ]),
  API: columns('API', [
    uri,
    text('METHOD_NAME', (n) => ['query', 'queryMore', 'update'][n % 3] ?? ''),
    text('ENTITY_NAME', () => 'Contact'),
    clientIp,
  ]),
  ReportExport: columns('ReportExport', [uri, text('REPORT_DESCRIPTION', (n) => `Report ${n}`), clientIp]),
}
