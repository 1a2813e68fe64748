import { type ErrorEntry, registry } from './registry/index.ts'

/** Returns the text of docs/reference/errors.md. `npm run generate` writes it, and a test checks that the file is up to date. */
export function renderErrorReference(): string {
  const codes = Object.entries<ErrorEntry>(registry).sort(([a], [b]) => (a < b ? -1 : 1))
  return `# Errors

Every failure that a person can meet has a code. The API answers with it as \`application/problem+json\` (RFC 9457); the command line
prints it; runs and cases keep it. The status is the HTTP status where the API answers with the code.

\`\`\`json
{
  "type": "urn:tocsin:error:organization_unknown",
  "title": "The organization is unknown",
  "status": 422,
  "code": "organization_unknown",
  "detail": "what is particular to this occurrence",
  "remedy": "what to do about it",
  "errors": [{ "field": "organization_code", "message": "what is wrong there", "line": 1, "column": 1 }],
  "request_id": "the id of this request in the log"
}
\`\`\`

\`errors\` is present if fields or places can be named, \`line\` and \`column\` if the place is in a text. Integrations declare further codes in
their manifests.

This page is generated from \`runtime/errors/registry/\`.

${codes.map(([code, entry]) => section(code, entry)).join('\n')}`
}

function section(code: string, { status, title, cause, remedy }: ErrorEntry): string {
  return `## ${code}

${title}. Status ${status}.

- Cause: ${cause}
- Remedy: ${remedy}
`
}
