import { expect, test } from 'vitest'
import { assertSelect, NoSelect } from './select-only.ts'

test.each([
  'SELECT Id FROM Account',
  "select Name from Contact where Email = 'a\\'b@example.com' and CreatedDate = LAST_N_DAYS:7 order by Name limit 5",
  "SELECT Id FROM Account WHERE Name = 'for update'",
  "SELECT Id FROM Account WHERE Name = 'a\\' for view'",
  'SELECT Name, (SELECT Id FROM Contacts) FROM Account',
  'SELECT Status, COUNT(Id) FROM Case GROUP BY Status HAVING COUNT(Id) > 1',
  'SELECT FIELDS(STANDARD) FROM SetupAuditTrail',
  'SELECT COUNT() FROM Case',
  'SELECT Id FROM Account WITH USER_MODE',
  "SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact WHERE Email != null) AND (Name LIKE 'a%' OR NOT Name = 'b')",
])('%s', (soql) => {
  expect(() => assertSelect(soql)).not.toThrow()
})

test.each([
  ['DELETE FROM Account', 'not DELETE'],
  ["UPDATE Account SET Name = 'a'", 'not UPDATE'],
  ['INSERT INTO Account (Name) VALUES (1)', 'not INSERT'],
  ['FIND {x} RETURNING Account', 'not FIND'],
  ['  ', 'not this'],
  ['', 'not this'],
  ['SELECT Id FROM Account; DELETE FROM Account', 'One statement'],
  ['SELECT Id FROM Account;', 'without a semicolon'],
  ['SELECT Id FROM Account -- all', 'Comments'],
  ['SELECT Id /* all */ FROM Account', 'Comments'],
  ["SELECT Id FROM Account WHERE Name = 'a;b' AND", 'not understood'],
  ['SELECT Id FROM Account FOR UPDATE', 'FOR UPDATE'],
  ['SELECT Id FROM Account for   view', 'FOR VIEW'],
  ['SELECT Id FROM Account FOR REFERENCE', 'FOR REFERENCE'],
  ["SELECT Title FROM KnowledgeArticleVersion WHERE Language = 'en_US' UPDATE VIEWSTAT", 'UPDATE VIEWSTAT'],
  ["SELECT Title FROM KnowledgeArticleVersion WHERE Language = 'en_US' UPDATE TRACKING", 'UPDATE TRACKING'],
  ['SELECT Id, (SELECT Id FROM Contacts FOR VIEW) FROM Account', 'FOR VIEW'],
  ['SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact FOR UPDATE)', 'FOR UPDATE'],
  ['SELECT Id FROM Account WHERE', 'not understood'],
])('refused: %s', (soql, why) => {
  expect(() => assertSelect(soql)).toThrow(NoSelect)
  expect(() => assertSelect(soql)).toThrow(why)
})
