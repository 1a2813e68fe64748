import { eventKinds } from '../events/event-kinds.ts'
import { idOf } from './ids.ts'
import { organizationId, runAs, type Seed } from './org.ts'
import type { Row, Value } from './row.ts'
import { apiTime } from './times.ts'

const hour = 3_600_000
const day = 24 * hour

const people = [
  ['Ivy', 'Integration'],
  ['Ada', 'Lovelace'],
  ['Grace', 'Hopper'],
  ['Conor', "O'Brien"],
  ['Zoë', 'Müller'],
] as const

export interface SeedSettings {
  readonly contacts: number
  readonly auditEntries: number
  /** The time in epoch milliseconds that all records are older than. */
  readonly at: number
}

/** Returns the same org at every start, except for its times, which are before `at`. */
export function seedOf({ contacts, auditEntries, at }: SeedSettings): Seed {
  const midnight = Math.floor(at / day) * day
  return {
    Organization: [{ Id: organizationId, Name: 'Acme', IsSandbox: false, InstanceName: 'SIM1', ...stamps(at - 900 * day) }],
    User: people.map(([first, last], index) => user(index + 1, first, last, at)),
    Account: Array.from({ length: 40 }, (_, index) => account(index + 1, at)),
    Contact: Array.from({ length: contacts }, (_, index) => contact(index + 1, at)),
    Case: Array.from({ length: 12 }, (_, index) => kase(index + 1, at)),
    SetupAuditTrail: Array.from({ length: auditEntries }, (_, index) => auditEntry(index + 1, at)),
    EventLogFile: logFiles(midnight, at),
  }
}

function stamps(time: number, by: string = runAs): Row {
  const text = apiTime(time)
  return { CreatedDate: text, CreatedById: by, LastModifiedDate: text, LastModifiedById: by, SystemModstamp: text }
}

function userId(n: number): string {
  return idOf('005', ((n - 1) % people.length) + 1)
}

function user(n: number, first: string, last: string, at: number): Row {
  const name = `${first}.${last}`.toLowerCase().replace(/[^a-z.]/g, '')
  return {
    Id: idOf('005', n),
    Username: `${name}@acme.example`,
    FirstName: first,
    LastName: last,
    Name: `${first} ${last}`,
    Email: `${name}@acme.example`,
    IsActive: true,
    UserType: 'Standard',
    LastLoginDate: n === 1 ? null : apiTime(at - n * hour),
    ...stamps(at - 400 * day),
  }
}

function account(n: number, at: number): Row {
  return {
    Id: idOf('001', n),
    IsDeleted: false,
    Name: n === 4 ? 'Müller & Söhne\'s "Best"' : `Account ${n}`,
    Website: `https://account-${n}.example`,
    Industry: ['Banking', 'Energy', 'Retail', null][n % 4] ?? null,
    AnnualRevenue: n * 1_000_000,
    NumberOfEmployees: n * 10,
    Description: n % 3 === 0 ? null : `Text of account ${n}`,
    External_Id__c: `EXT/${n}`,
    ...stamps(at - n * day),
  }
}

function contact(n: number, at: number): Row {
  return {
    Id: idOf('003', n),
    IsDeleted: false,
    AccountId: n % 10 === 0 ? null : idOf('001', (n % 40) + 1),
    LastName: `Person ${String(n).padStart(5, '0')}`,
    FirstName: n % 7 === 0 ? null : 'Pat',
    Name: `${n % 7 === 0 ? '' : 'Pat '}Person ${String(n).padStart(5, '0')}`,
    Email: `person${n}@account-${(n % 40) + 1}.example`,
    Department: ['Sales', 'Support', 'Finance'][n % 3] ?? null,
    // The first two contacts have the same external id, because it need not be unique.
    Badge__c: n <= 2 ? 'B-1' : `B-${n}`,
    ...stamps(at - n * hour, userId(n)),
  }
}

function kase(n: number, at: number): Row {
  return {
    Id: idOf('500', n),
    IsDeleted: false,
    CaseNumber: String(n).padStart(8, '0'),
    ContactId: idOf('003', n),
    AccountId: idOf('001', (n % 40) + 1),
    Subject: `Suspicious sign-in ${n}`,
    Description: null,
    Status: n % 4 === 0 ? 'Closed' : 'New',
    Priority: 'Medium',
    Origin: 'Web',
    Alert_Id__c: `ALERT-${n}`,
    ...stamps(at - n * 6 * hour),
  }
}

const auditActions: readonly (readonly [string, Value, string])[] = [
  ['changedpassword', 'Manage Users', 'Changed password of another user'],
  ['PermSetAssign', 'Manage Users', 'Permission set "Export Data": assigned to user'],
  ['loginasgrantedtopartnerbt', null, "Granted log-in access to O'Brien"],
  ['changedemailinterface', 'Manage Users', 'Changed email of a user'],
  ['connectedappcreate', 'Connected Apps', 'Created connected app "Data Loader"'],
]

/** Makes one entry for each half hour, the newest just before `at`. */
function auditEntry(n: number, at: number): Row {
  const [action, section, display] = auditActions[n % auditActions.length] ?? ['unknown', null, '']
  return {
    Id: idOf('0Ym', n),
    Action: action,
    Section: section,
    CreatedDate: apiTime(at - n * (hour / 2)),
    CreatedById: userId(n),
    Display: `${display} (${n})`,
    DelegateUser: null,
    ResponsibleNamespacePrefix: null,
    CreatedByContext: n % 6 === 0 ? 'SYSTEM' : null,
    CreatedByIssuer: null,
  }
}

/**
 * Makes one daily file of each kind for the last seven days, and an hourly file of sign-ins for the
 * last twelve hours.
 */
function logFiles(midnight: number, at: number): readonly Row[] {
  const names = Object.keys(eventKinds)
  const daily = [7, 6, 5, 4, 3, 2, 1].flatMap((ago, dayAt) =>
    names.map((type, kindAt) =>
      logFile(dayAt * names.length + kindAt + 1, type, 'Daily', midnight - ago * day, midnight - ago * day + day + 4 * hour, 0),
    ),
  )
  const thisHour = Math.floor(at / hour) * hour
  const hourly = Array.from({ length: 12 }, (_, index) => {
    const start = thisHour - (13 - index) * hour
    return logFile(1000 + index, 'Login', 'Hourly', start, start + 2 * hour, 1)
  })
  return [...daily, ...hourly].filter((file) => Date.parse(String(file['CreatedDate']).replace('+0000', 'Z')) <= at)
}

function logFile(n: number, type: string, interval: string, date: number, made: number, sequence: number): Row {
  const id = idOf('0AT', n)
  const columns = eventKinds[type] ?? []
  return {
    Id: id,
    IsDeleted: false,
    ...stamps(made),
    EventType: type,
    LogDate: apiTime(date),
    LogFileLength: null,
    LogFileContentType: 'text/csv',
    ApiVersion: 66,
    LogFileFieldNames: columns.map(({ name }) => name).join(','),
    LogFileFieldTypes: columns.map(({ type: kind }) => kind).join(','),
    LogFile: null,
    Interval: interval,
    Sequence: sequence,
  }
}
