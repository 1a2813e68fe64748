import { expect, test } from 'vitest'
import { alertIn } from './alert-file.ts'

test.each([
  ['a bare content', '{"user":"ada"}', { content: '{"user":"ada"}' }],
  ['a text', 'user=ada', { content: 'user=ada' }],
  ['a list', '[1]', { content: '[1]' }],
  [
    'an alert as it is posted',
    '{"alert_content":"{\\"user\\":\\"ada\\"}","alert_provider":"EDR","alert_type":"x","organization_code":"ACME"}',
    { content: '{"user":"ada"}', provider: 'EDR', type: 'x', organizationCode: 'ACME' },
  ],
  ['an alert as it is shown', '{"alert_content":"a","alert_id":"A-1","status":5,"created_at":7}', { content: 'a', alertId: 'A-1', createdAt: 7 }],
  ['an alert as a test gives it', '{"content":{"user":"ada"},"alert_type":"x"}', { content: '{"user":"ada"}', type: 'x' }],
  ['a content that has a content', '{"content":"a","user":"ada"}', { content: '{"content":"a","user":"ada"}' }],
])('%s', (_, text, alert) => {
  expect(alertIn(text)).toEqual(alert)
})

test('reports a field with the wrong type', () => {
  expect(() => alertIn('{"alert_content":"a","alert_type":7}')).toThrow('alert_type must be a string')
})
