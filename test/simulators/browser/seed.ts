import type { Listings } from './company.ts'
import type { Account, App, Browser, Detection, Employee, Finding } from './records.ts'

/** Makes ids like the vendor's: UUIDs. `letter` shows the kind to people who read a log. */
export function idOf(letter: 'a' | 'b' | 'c' | 'd' | 'e' | 'f', number: number): string {
  return `00000000-0000-4000-8000-0000000${letter}${String(number).padStart(4, '0')}`
}

/** 2026-09-01T00:00:00Z. Times in the records are seconds from there. */
const start = 1_788_220_800
const at = (hours: number): number => start + hours * 3_600

const people = [
  ['Ada', 'Lovelace', 'Engineering', 'London'],
  ['Grace', 'Hopper', 'Engineering', 'New York'],
  ['Alan', 'Turing', 'Research', 'Manchester'],
  ['Mary', 'Jackson', 'Finance', null],
] as const

const employees: readonly Employee[] = people.map(([firstName, lastName, department, location], number) => ({
  id: idOf('e', number + 1),
  email: `${firstName}.${lastName}@acme.example`.toLowerCase(),
  firstName,
  lastName,
  department,
  location,
  licensed: number !== 3,
  groups: number < 2 ? ['developers'] : [],
  creationTimestamp: at(number),
}))

const appStories: readonly (readonly [type: string, friendlyName: string, website: string, approvalStatus: string | null])[] = [
  ['ATLASSIAN', 'Atlassian', 'https://atlassian.example', 'APPROVED'],
  ['GITHUB', 'GitHub', 'https://github.example', 'UNDER_REVIEW'],
  ['FILE_SHARE', 'File Share', 'https://share.example', null],
]

const apps: readonly App[] = appStories.map(([type, friendlyName, website, approvalStatus], number) => ({
  id: idOf('b', number + 1),
  type,
  approvalStatus,
  sensitivityLevel: number === 0 ? 'MEDIUM' : null,
  ownerId: number === 0 ? idOf('e', 2) : null,
  notes: null,
  website,
  description: `${friendlyName}, as employees use it`,
  friendlyName,
  labels: number === 0 ? ['core'] : [],
  creationTimestamp: at(number + 1),
}))

function accountOf(number: number): Account {
  const employee = employees[number % employees.length] as Employee
  const app = apps[Math.floor(number / employees.length) % apps.length] as App
  const oidc = number % 3 === 1
  return {
    id: idOf('a', number + 1),
    employeeId: employee.id,
    appType: app.type,
    appId: app.id,
    email: employee.email,
    mfaRegistered: number % 3 === 2 ? null : number % 2 === 0,
    mfaMethods: number % 2 === 0 ? ['APP_TOTP'] : null,
    passwordId: oidc ? null : `password-${number % 5}`,
    loginMethods: {
      passwordLogin: !oidc,
      oidcLogin: oidc ? 'GOOGLE_WORKSPACE' : null,
      samlLogin: null,
      oktaSwaLogin: false,
      vendorSsoLogin: null,
      fedCmLogin: null,
    },
    creationTimestamp: at(number),
    lastUsedTimestamp: at(number + 24),
  }
}

const browsers: readonly Browser[] = employees.map(({ id, email }, number) => ({
  id: idOf('c', number + 1),
  employeeId: id,
  email,
  version: `14${number}.0.1`,
  tokenType: 'INDIVIDUAL',
  isActive: number !== 3,
  browser: number === 2 ? 'EDGE' : 'CHROME',
  os: number === 2 ? 'WINDOWS' : 'MACOS',
  extensionVersion: '1.9.2',
  creationTimestamp: at(number),
  lastOnlineTimestamp: at(number === 3 ? -100 : 48 + number),
}))

function findingOf(account: Account, number: number): Finding {
  const weak = number % 2 === 0
  return {
    id: idOf('f', number + 1),
    type: weak ? 'WEAK_PASSWORD' : 'MFA_NOT_REGISTERED',
    state: number === 2 ? 'RESOLVED' : 'OPEN',
    employeeId: account.employeeId,
    employee: employees.find(({ id }) => id === account.employeeId) ?? null,
    passwordId: weak ? account.passwordId : null,
    accountId: account.id,
    appType: account.appType,
    appId: account.appId,
    weakPasswordReasons: weak ? ['TOO_SHORT'] : null,
    creationTimestamp: at(number + 2),
  }
}

const detections: readonly Detection[] = [
  ['PHISHING', 'HIGH', 'EMPLOYEE_IGNORED_WARNING'],
  ['STOLEN_CREDENTIALS', 'CRITICAL', 'NOT_BLOCKED'],
  ['BLOCKED_URL', 'LOW', 'BLOCKED'],
].map(([detectionType = '', severity = '', response = ''], number) => ({
  id: idOf('d', number + 1),
  employeeId: idOf('e', number + 1),
  employee: employees[number] as Employee,
  browserId: idOf('c', number + 1),
  severity,
  detectionType,
  response,
  archived: number === 2,
  detectionLink: `https://console.browser.example/detections/${idOf('d', number + 1)}`,
  creationTimestamp: at(50 + number),
  lastActivityTimestamp: at(51 + number),
}))

/** Returns the same company every time, with this many accounts. */
export function seedOf(accountCount: number): Listings {
  const accounts = Array.from({ length: accountCount }, (_, number) => accountOf(number))
  return { accounts, employees, apps, browsers, findings: accounts.slice(0, 4).map(findingOf), detections }
}
