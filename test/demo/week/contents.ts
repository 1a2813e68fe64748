import { idOf } from '../../simulators/browser/index.ts'
import type { Random } from '../../support/seeded.ts'
import type { Mail } from './issues.ts'

/** What an alert source posts, besides organization and provider. */
export interface Posted {
  readonly type: string | null
  readonly content: object | string
}

const places = [
  { country: 'BR', city: 'Recife' },
  { country: 'NZ', city: 'Napier' },
  { country: 'RO', city: 'Cluj' },
  { country: 'VN', city: 'Hue' },
  { country: 'US', city: 'Boise' },
]

/** An address of the ranges for documentation. */
function outsideAddress(random: Random): string {
  return `${['198.51.100', '203.0.113', '192.0.2'][random(3)]}.${10 + random(230)}`
}

function one<T>(random: Random, items: readonly T[]): T {
  return items[random(items.length)] as T
}

export function phishing(mail: Mail, reporter: string): Posted {
  return {
    type: 'phishing_reported',
    content: {
      title: `Phishing reported by ${reporter}`,
      reported_by: reporter,
      reported_via: 'Report button',
      message: { subject: mail.subject, from: mail.sender, to: [reporter], urls: [mail.url] },
    },
  }
}

/** @param strong whether a push was approved after many were denied */
export function mfaFatigue(user: string, strong: boolean, random: Random): Posted {
  const denied = strong ? 6 + random(14) : 2 + random(3)
  return {
    type: 'mfa_fatigue',
    content: {
      rule: { name: 'Repeated MFA pushes denied', id: 'IDP-2041', severity: strong ? 'high' : 'medium' },
      user: { email: user },
      source_ip: outsideAddress(random),
      geo: one(random, places),
      pushes: { sent: denied + 1, denied, approved: strong ? 1 : 0, window_minutes: 4 + random(9) },
      application: one(random, ['VPN', 'Mail', 'HR portal']),
    },
  }
}

export function stolenCredential(user: string, success: boolean, random: Random): Posted {
  return {
    type: 'stolen_credential_used',
    content: {
      rule: { name: 'Sign-in with a leaked password', id: 'IDP-3120', severity: 'high' },
      user: { email: user },
      source_ip: outsideAddress(random),
      login: { success },
      leak: { list: 'combo-2026-10', first_seen: '2026-10-28' },
    },
  }
}

/** @param device the id of a device that the MFA provider knows, or null */
export function deviceAdded(user: string, device: number | null, actor: string, random: Random): Posted {
  return {
    type: 'mfa_device_added',
    content: {
      rule: { name: 'New MFA device', id: 'IDP-2200', severity: 'medium' },
      user: { email: user },
      actor: { email: actor },
      device: { id: String(device ?? 99_000 + random(999)), name: one(random, ['Pixel 9', 'Galaxy S26', 'iPhone 18']) },
      source_ip: outsideAddress(random),
      geo: { ...one(random, places), new: actor !== user },
    },
  }
}

export function failedSignIns(user: string, count: number, address: string): Posted {
  return {
    type: 'failed_sign_ins',
    content: { rule: { name: 'Many failed sign-ins', id: 'IDP-1007', severity: 'low' }, user: { email: user }, source_ip: address, count },
  }
}

/** @param number which of the browser platform's detections: 1 to 3 */
export function browserLogin(number: number, user: string): Posted {
  return {
    type: 'risky_browser_login',
    content: { title: 'Risky sign-in in the browser', detection: { id: idOf('d', number) }, employee: { id: idOf('e', number), email: user } },
  }
}

export function crmExport(user: string, rows: number, random: Random): Posted {
  return {
    type: 'crm_mass_export',
    content: {
      title: 'Mass export from the CRM',
      user: { username: user },
      rows,
      source_ip: outsideAddress(random),
      report: { name: 'All contacts' },
    },
  }
}

export function crmChange(actor: string, action: string): Posted {
  return { type: 'crm_setup_change', content: { title: 'CRM setup changed', actor: { username: actor }, action } }
}

/** No playbook ships for this type, so Tocsin generates one. */
export function oddSignIn(user: string, random: Random): Posted {
  return {
    type: 'odd_sign_in',
    content: {
      rule: { name: 'Sign-in from a new country', id: 'IDP-3310', severity: 'medium' },
      user: { email: user },
      source_ip: outsideAddress(random),
      geo: one(random, places),
    },
  }
}

/** No playbook ships for this type, so Tocsin generates one. */
export function malwareBlocked(user: string, random: Random): Posted {
  const host = `LT-${1000 + random(9000)}`
  return {
    type: 'malware_blocked',
    content: {
      rule: { name: one(random, ['Ransomware behaviour blocked', 'Trojan quarantined', 'Suspicious macro blocked']), severity: 'high' },
      host: { name: host, os: 'Windows 11' },
      user: { email: user },
      file: {
        name: one(random, ['invoice.pdf.exe', 'update.msi', 'bonus.xlsm']),
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    },
  }
}

/** A line of syslog without a type: stored, not investigated. */
export function firewallLine(random: Random): Posted {
  const address = outsideAddress(random)
  return {
    type: null,
    content: `fw1 deny tcp ${address}:${1024 + random(60_000)} -> 10.1.${random(20)}.${random(250)}:${one(random, [22, 445, 3389])} rule 17`,
  }
}
