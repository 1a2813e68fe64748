import type { Issue } from '../issues/records.ts'
import type { Detection } from './detections.ts'

/** Makes the rules that raised the seed's issues, and one that is being introduced. */
export function seedDetections(issues: readonly Issue[]): readonly Detection[] {
  const counted = (id: string): Detection['issueCounts'] => {
    const total = issues.filter(({ detection }) => detection === id).length
    return { open: total, total }
  }
  return [
    ['credential_phishing', 'Credential phishing', 'high', 'general'],
    ['user_report', 'Reported by a user', 'medium', 'general'],
    ['suspicious_link', 'Suspicious link', 'medium', 'general'],
    ['graymail', 'Graymail', 'low', 'general'],
    ['vendor_impersonation', 'Vendor impersonation', 'high', 'preview'],
  ].map(([id = '', name = '', severity = '', rolloutState = '']) => ({
    id,
    name,
    status: 'enabled',
    enabled: true,
    severity,
    rolloutState,
    configuration: { threshold: 'standard' },
    domainOverrides: id === 'graymail' ? [{ domain: 'acme-labs.example', enabled: false }] : [],
    issueCounts: counted(id),
  }))
}
