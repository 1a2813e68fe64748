import type { Json } from '../../../../domain/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import { stringsIn } from '../../document/index.ts'
import { defineRule, type Report, type Subject } from '../../rule.ts'

/**
 * The formats that issuers give their secrets so that scanners can find them. Each is specific enough that no other text matches. Repetitions
 * have bounds or lookbehinds, because matching could take quadratic time without them: 400 KB of `a.a.a.` took two minutes.
 */
const forms: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g },
  { what: 'an AWS access key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g },
  { what: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{50,})/g },
  { what: 'a GitLab token', pattern: /\bgl(?:pat|dt|rt|ptt|oas)-[\w-]{20,}/g },
  { what: 'a Slack token', pattern: /\bxox[abeoprs]-[\w-]{10,}/g },
  { what: 'a Slack webhook', pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[\w/]{20,}/g },
  { what: 'a Google API key', pattern: /\bAIza[\w-]{35}\b/g },
  { what: 'a Stripe key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { what: 'a SendGrid key', pattern: /\bSG\.[\w-]{16,}\.[\w-]{32,}/g },
  { what: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { what: 'an OpenAI or Anthropic key', pattern: /\bsk-(?:proj-|ant-(?:api|admin)\d+-)?[\w-]{32,}/g },
  { what: 'a Tocsin key', pattern: /\btocsin_[A-Za-z0-9_-]{20,}/g },
  { what: 'a JSON web token', pattern: /(?<![\w-])eyJ[\w-]{10,4000}\.eyJ[\w-]{10,}\.[\w-]{10,}/g },
  { what: 'a password in an address', pattern: /(?<![a-z0-9+])[a-z][a-z0-9+]{0,20}:\/\/[^\s/:@{}'"]{1,500}:[^\s/@{}'"]{3,500}@[\w.-]/gi },
  { what: 'a token of an Authorization header', pattern: /\b(?:Bearer|Basic)\s+(?=[\w+/.~-]*\d)[\w+/.~-]{20,}={0,2}/g },
]

/** Keys whose name says that the value is a secret. */
const telling =
  /(?:^|[_-])(?:password|passwd|passphrase|pwd|secret|token|api_?key|apikey|private_?key|access_?key|client_?secret|credentials?|authorization)$/i
/** Placeholders, and values that say that there is no secret. */
const placeholder =
  /^(?:.*(?:example|changeme|change_me|placeholder|redacted|dummy|your[_-]).*|x+|\*+|<.*>|none|null|true|false|required|missing|expired|invalid|unknown)$/i
/** One word of letters with digits or punctuation. */
const likeASecret = /^(?=.*[A-Za-z])(?=.*[\d!$%&*+/=?^~@#-])\S{8,}$/

export const secretInPlaybook = defineRule({
  codes: {
    secret_in_playbook: {
      severity: 'error',
      title: 'The playbook contains a secret',
      why: 'Playbooks are kept in version control, shown by the API and stored with every run. Connections store credentials encrypted and add them to requests. Nothing else needs them.',
      wrong: "- id: facts\n  set: { api_key: 'k3y-4f9a81c27d' }",
      right: '- id: facts\n  set: { system: intranet }',
    },
  },
  check(subject, report) {
    const found = new Set<number>()
    for (const { what, pattern } of forms) {
      for (const { index } of subject.document.text.matchAll(pattern)) {
        if (found.has(index)) continue
        found.add(index)
        report.offset('secret_in_playbook', index, [], `this looks like ${what}; ${remedy}`)
      }
    }
    byName(subject, report, found)
    inTexts(subject, report, found)
  },
})

type Reporter = Report<'secret_in_playbook'>

const remedy = 'connections store credentials, so a playbook needs none; assume that everybody who can read this file knows the secret'

function byName({ document, root }: Subject, report: Reporter, found: ReadonlySet<number>): void {
  const look = (value: Json, path: DocumentPath): void => {
    const key = path.at(-1)
    if (typeof value === 'string' && typeof key === 'string' && telling.test(key)) {
      const span = document.span(path)
      const known = span !== null && [...found].some((at) => at >= span.start && at < span.end)
      if (!known && !value.includes('{{') && likeASecret.test(value) && !placeholder.test(value) && !/^content\./.test(value)) {
        report.at('secret_in_playbook', path, `\`${key}\` is in plain text; ${remedy}`)
      }
    }
    if (typeof value !== 'object' || value === null) return
    const entries = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : Object.entries(value as Readonly<Record<string, Json>>)
    for (const [name, item] of entries) look(item, [...path, name])
  }
  look(root, [])
}

/** `password: …` or `token=…` inside a text. A value that looks like a pattern, an address or a name is not a secret. */
const assigned = /\b(pass(?:word|wd|phrase)|pwd|secret|token|api[ _-]?key)\b["']?\s*(?::|=|\bis\b)\s*["']?([^\s"',;]{6,})/gi
const noSecret = /[\\()[\]{}<>*|]|^https?:|^[\d.:/-]+$|^\w+(?:\.\w+)+$|@[\w-]+\.\w/

function inTexts({ document, root }: Subject, report: Reporter, found: ReadonlySet<number>): void {
  for (const { text, path } of stringsIn(root, [])) {
    if (path.at(-1) === 'script') {
      inScript(text, path, report, found, document)
      continue
    }
    for (const match of text.matchAll(assigned)) {
      const [whole, name = '', written = ''] = match
      const secret = written.replace(/[.!?]+$/, '')
      if (!/(?=.*[A-Za-z])(?=.*\d)/.test(secret) || noSecret.test(secret) || placeholder.test(secret)) continue
      const span = document.span(path)
      if (span !== null && [...found].some((at) => at >= span.start && at < span.end)) continue
      report.inside(
        'secret_in_playbook',
        path,
        match.index + whole.length - written.length,
        `this contains a ${name.toLowerCase()} in plain text; ${remedy}`,
      )
    }
  }
}

/** A quoted text after a name: `const apiKey: string = '…'`, `{ 'x-api-key': '…' }`, `headers.authorization = '…'`, `if (token === '…')`. */
const named =
  /(?<![\w$-])([A-Za-z_$][\w$-]{0,100})["'`]?\]?\s{0,20}(?:[!?]?:\s{0,20}string\s{0,20})?(?::|[!=]=?=?|\?\?=?|\|\|=?)\s{0,20}(["'`])([^"'`\\\n]{8,500})\2/g

/** Finds secrets in the constants of a script, in camel case, snake case or kebab case. */
function inScript(script: string, path: DocumentPath, report: Reporter, found: ReadonlySet<number>, document: Subject['document']): void {
  const span = document.span(path)
  if (span !== null && [...found].some((at) => at >= span.start && at < span.end)) return
  for (const match of script.matchAll(named)) {
    const [whole, name = '', , written = ''] = match
    const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll('-', '_')
    const secret = written.replace(/^(?:Bearer|Basic|Token|ApiKey)\s+/i, '')
    if (!telling.test(words) || !likeASecret.test(secret) || noSecret.test(secret) || placeholder.test(secret)) continue
    const at = match.index + whole.length - written.length - 1
    report.inside('secret_in_playbook', path, at, `\`${name}\` is in plain text in the script; ${remedy}`)
  }
}
