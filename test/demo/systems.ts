import { type BrowserSimulator, startBrowserSimulator } from '../simulators/browser/index.ts'
import { type CrmSimulator, startCrmSimulator } from '../simulators/crm/index.ts'
import { type MailsecSimulator, startMailsecSimulator } from '../simulators/mailsec/index.ts'
import { type MfaSimulator, startMfaSimulator, userNamed } from '../simulators/mfa/index.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import type { ServerSettings } from '../simulators/server.ts'
import { acmeIssues, harborIssues } from './week/issues.ts'
import { acmePeople, acmeSpecial, firstDevice, harborPeople, harborSpecial } from './week/people.ts'

/** One simulated system, and the credentials that connect to it. */
interface Connectable<S> {
  readonly simulator: S
  readonly credentials: Readonly<Record<string, string>>
}

/** The simulated external systems of the demo, each over HTTPS on this machine. */
export interface Systems {
  /** The file of the test CA. */
  readonly ca: string
  readonly acme: {
    readonly mailsec: Connectable<MailsecSimulator>
    readonly mfa: Connectable<MfaSimulator>
    readonly crm: Connectable<CrmSimulator>
    readonly browser: Connectable<BrowserSimulator>
  }
  readonly harbor: { readonly mailsec: Connectable<MailsecSimulator>; readonly mfa: Connectable<MfaSimulator> }
  close(): Promise<void>
}

/** What the simulated systems need. */
interface Surroundings {
  /** Folder for the test CA. */
  readonly pki: string
  readonly now: () => number
  readonly answersAfter: NonNullable<ServerSettings['answersAfter']>
}

/** Few, so that a run that reads all open issues has few steps to look at. */
const ordinaryIssues = 6

export async function startSystems({ pki: folder, now, answersAfter }: Surroundings): Promise<Systems> {
  const common = { pki: openPki(folder), answersAfter, remember: 0 }
  const mailsec = async (token: string, stories: Parameters<typeof startMailsecSimulator>[0]['stories'] = []) => {
    const simulator = await startMailsecSimulator({ ...common, token, issues: ordinaryIssues, stories })
    return { simulator, credentials: { base_url: simulator.url, api_token: token } }
  }
  const mfa = async (orgAlias: string, people: readonly string[]) => {
    const [token, key] = [`mfa-token-${orgAlias.slice(0, 8)}`, Buffer.alloc(32, orgAlias).toString('base64')]
    const users = people.map((name, index) => userNamed(name, firstDevice + index))
    const simulator = await startMfaSimulator({ ...common, orgAlias, token, key, users })
    return { simulator, credentials: { idp_url: simulator.idpUrl, org_alias: orgAlias, token, use_base64_key: key } }
  }
  const crm = async () => {
    const [clientId, clientSecret] = ['demo-consumer-key', 'demo-consumer-secret']
    const simulator = await startCrmSimulator({ ...common, now, clientId, clientSecret })
    return { simulator, credentials: { instance_url: simulator.url, client_id: clientId, client_secret: clientSecret } }
  }
  const browser = async () => {
    const simulator = await startBrowserSimulator({ ...common, key: 'demo-browser-key', now })
    return { simulator, credentials: { base_url: simulator.url, api_key: 'demo-browser-key', company_id: 'acme' } }
  }
  const acme = {
    mailsec: await mailsec('mailsec-demo-token', acmeIssues),
    mfa: await mfa('11111111-2222-3333-4444-555555555555', [...acmePeople, ...Object.values(acmeSpecial)]),
    crm: await crm(),
    browser: await browser(),
  }
  const harbor = {
    mailsec: await mailsec('mailsec-harbor-token', harborIssues),
    mfa: await mfa('66666666-7777-8888-9999-000000000000', [...harborPeople, ...Object.values(harborSpecial)]),
  }
  const all = [...Object.values(acme), ...Object.values(harbor)]
  return {
    ca: caFile(folder),
    acme,
    harbor,
    close: async () => {
      await Promise.all(all.map(({ simulator }) => simulator.close()))
    },
  }
}
