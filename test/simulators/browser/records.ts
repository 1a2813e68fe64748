/** Seconds since 1970. */
type Seconds = number

export interface Employee {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly department: string | null
  readonly location: string | null
  readonly licensed: boolean
  readonly groups: readonly string[]
  readonly creationTimestamp: Seconds
}

export interface Account {
  readonly id: string
  readonly employeeId: string
  readonly appType: string
  readonly appId: string
  readonly email: string
  readonly mfaRegistered: boolean | null
  readonly mfaMethods: readonly string[] | null
  readonly passwordId: string | null
  readonly loginMethods: {
    readonly passwordLogin: boolean
    readonly oidcLogin: string | null
    readonly samlLogin: string | null
    readonly oktaSwaLogin: boolean
    readonly vendorSsoLogin: string | null
    readonly fedCmLogin: string | null
  }
  readonly creationTimestamp: Seconds
  readonly lastUsedTimestamp: Seconds
}

export interface App {
  readonly id: string
  readonly type: string
  readonly approvalStatus: string | null
  readonly sensitivityLevel: string | null
  readonly ownerId: string | null
  readonly notes: string | null
  readonly website: string
  readonly description: string
  readonly friendlyName: string
  readonly labels: readonly string[]
  readonly creationTimestamp: Seconds
}

export interface Browser {
  readonly id: string
  readonly employeeId: string
  readonly email: string
  readonly version: string
  readonly tokenType: string
  readonly isActive: boolean
  readonly browser: string
  readonly os: string
  readonly extensionVersion: string
  readonly creationTimestamp: Seconds
  readonly lastOnlineTimestamp: Seconds
}

export interface Finding {
  readonly id: string
  readonly type: string
  readonly state: string
  readonly employeeId: string | null
  readonly employee: Employee | null
  readonly passwordId: string | null
  readonly accountId: string
  readonly appType: string
  readonly appId: string
  readonly weakPasswordReasons: readonly string[] | null
  readonly creationTimestamp: Seconds
}

export interface Detection {
  readonly id: string
  readonly employeeId: string
  readonly employee: Employee
  readonly browserId: string
  readonly severity: string
  readonly detectionType: string
  readonly response: string
  readonly archived: boolean
  readonly detectionLink: string
  readonly creationTimestamp: Seconds
  readonly lastActivityTimestamp: Seconds
}

/** The company's records, by the name of their listing. */
export interface Records {
  readonly accounts: Account
  readonly employees: Employee
  readonly apps: App
  readonly browsers: Browser
  readonly findings: Finding
  readonly detections: Detection
}
export type Kind = keyof Records
