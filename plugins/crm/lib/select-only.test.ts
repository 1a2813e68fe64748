import { expect, test } from 'vitest'
import { assertSelect, NoSelect } from './select-only.ts'

test.each([
  'SELECT Id FROM Account',
  '  select\tId\nfrom Account\r\n',
  "select Name from Contact where Email = 'a\\'b@example.com' and CreatedDate = LAST_N_DAYS:7 order by Name limit 5",
  "SELECT Id FROM Account WHERE Name = 'for update'",
  "SELECT Id FROM Account WHERE Name = 'a\\' for view'",
  "SELECT Id FROM Account WHERE Name = 'ends with \\\\' AND Site = '-- /* ; */ \"'",
  "SELECT Id FROM Account WHERE Name = 'Zoë 漢字 😀\\u00e9\\n'",
  'SELECT Name, (SELECT Id FROM Contacts) FROM Account',
  'SELECT Name, (SELECT Id, (SELECT Id FROM Cases ORDER BY Id LIMIT 1) FROM Contacts WHERE Email != null), Site FROM Account',
  'SELECT Status, COUNT(Id) FROM Case GROUP BY Status HAVING COUNT(Id) > 1',
  'SELECT Status s, COUNT(Id) n, COUNT_DISTINCT(OwnerId) o FROM Case GROUP BY Status ORDER BY COUNT(Id) DESC NULLS LAST, Status ASC NULLS FIRST LIMIT 10 OFFSET 5',
  'SELECT LeadSource, Rating, GROUPING(LeadSource) g, COUNT(Name) c FROM Lead GROUP BY ROLLUP(LeadSource, Rating)',
  'SELECT Type, BillingCountry, COUNT(Id) FROM Account GROUP BY CUBE(Type, BillingCountry)',
  'SELECT CALENDAR_YEAR(CreatedDate), SUM(Amount) FROM Opportunity GROUP BY CALENDAR_YEAR(CreatedDate) HAVING SUM(Amount) > 1e6 OR NOT COUNT(Id) = 0',
  'SELECT HOUR_IN_DAY(convertTimezone(CreatedDate)), COUNT(Id) FROM Case GROUP BY HOUR_IN_DAY(convertTimezone(CreatedDate))',
  'SELECT FIELDS(STANDARD) FROM SetupAuditTrail',
  'SELECT FIELDS(ALL) FROM Account LIMIT 200',
  'SELECT COUNT() FROM Case',
  'SELECT Id FROM Account WITH USER_MODE',
  "SELECT Id FROM Account WHERE Name LIKE 'a%' WITH SECURITY_ENFORCED ORDER BY Name",
  "SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact WHERE Email != null) AND (Name LIKE 'a%' OR NOT Name = 'b')",
  "SELECT Id FROM Account WHERE Id NOT IN (SELECT AccountId FROM Contact) AND Name NOT IN ('a', 'b')",
  'SELECT c.Name, a.Name FROM Contact c, c.Account a',
  "SELECT c.Name FROM Contact AS c, c.Account AS a WHERE a.Name = 'x'",
  'SELECT Id FROM Opportunity WHERE Amount = -1.5e3',
  'SELECT Id FROM BusinessHours WHERE MondayStartTime >= 09:30:00.000Z AND MondayEndTime < 17:00:00Z',
  'SELECT Id FROM Opportunity WHERE Amount > .5 AND Probability <= +10. AND Amount <> 1E-3 AND Amount != -7',
  'SELECT Id FROM Opportunity WHERE Amount > USD5000 AND Amount < eur500.25',
  'SELECT Id FROM Account ALL ROWS',
  'SELECT Id FROM Account WHERE IsDeleted = TRUE LIMIT 5 OFFSET 1 ALL ROWS',
  'SELECT TYPEOF What WHEN Account THEN Phone, NumberOfEmployees WHEN Opportunity THEN Amount ELSE Name, Email END FROM Event',
  'SELECT Id, TYPEOF Owner WHEN User THEN Username END, Subject FROM Case',
  'SELECT TypeOf FROM Thing__c',
  'SELECT Id FROM Account USING SCOPE mine WHERE Name != null',
  'SELECT toLabel(Status), FORMAT(Amount) f, FORMAT(MIN(CloseDate)), convertCurrency(Amount) FROM Opportunity',
  "SELECT Id FROM Lead WHERE toLabel(Rating) = 'Hot'",
  "SELECT Name, DISTANCE(Location__c, GEOLOCATION(37.775, -122.418), 'mi') FROM Warehouse__c WHERE DISTANCE(Location__c, GEOLOCATION(37.775,-122.418), 'mi') < 20 ORDER BY DISTANCE(Location__c, GEOLOCATION(37.775,-122.418), 'mi') DESC",
  "SELECT Id FROM Account WHERE MSP__c INCLUDES ('AAA;BBB', 'CCC') AND Other__c EXCLUDES ('D')",
  'SELECT Id FROM Case WHERE CreatedDate >= 2026-09-01T00:00:00Z AND ClosedDate < 2026-09-02T01:02:03.456+01:00 AND Due__c = 2026-09-03 AND X__c > 2026-01-01T00:00:00+0100',
  'SELECT Id FROM Case WHERE CreatedDate = TODAY OR CreatedDate > N_DAYS_AGO:30 OR CreatedDate = LAST_N_FISCAL_QUARTERS:2 OR DAY_ONLY(CreatedDate) = YESTERDAY',
  "SELECT Title FROM KnowledgeArticleVersion WHERE PublishStatus = 'online' WITH DATA CATEGORY Geography__c ABOVE usa__c AND Product__c AT (phone__c, tv__c)",
  "SELECT Id FROM FeedItem WITH NETWORK = '0DB000000000001'",
  'SELECT Id FROM Account WITH RecordVisibilityContext (maxDescriptorPerRecord=100, supportsDomains=true, supportsDelegates=true)',
  'SELECT Group.Name, GroupId FROM GroupMember WHERE Group.Type = null',
  'SELECT Id FROM Group WHERE Name != null ORDER BY Name',
  'SELECT Id, Order.Name FROM Order ORDER BY Order.Name',
  "SELECT Name FROM ns__Thing__c WHERE ns__Parent__r.Owner.Name = 'x' AND _x = 1",
  `SELECT Id FROM Account WHERE ${'('.repeat(20)}Name = 'a'${')'.repeat(20)}`,
  "SELECT Id FROM Account WHERE NOT NOT Name = 'a'",
])('%s', (soql) => {
  expect(() => assertSelect(soql)).not.toThrow()
})

test.each([
  ['DELETE FROM Account', 'not DELETE'],
  ["UPDATE Account SET Name = 'a'", 'not UPDATE'],
  ['INSERT INTO Account (Name) VALUES (1)', 'not INSERT'],
  ['FIND {x} RETURNING Account', 'is only allowed inside quotes'],
  ['(SELECT Id FROM Account)', 'not this'],
  ["'SELECT Id FROM Account'", 'not this'],
  ['  ', 'not this'],
  ['', 'not this'],
  ['SELECT Id FROM Account; DELETE FROM Account', 'only one statement'],
  ['SELECT Id FROM Account;', 'without a semicolon'],
  ['SELECT Id FROM Account -- all', 'Comments'],
  ['SELECT Id /* all */ FROM Account', 'Comments'],
  ['SELECT Id FROM Account // all', 'Comments'],
  ['SELECT Id FROM Opportunity WHERE Amount = --1', 'Comments'],
  ["SELECT Id FROM Account WHERE Name = 'a;b' AND", 'not understood: it ends'],
  ['SELECT Id FROM Account FOR UPDATE', 'FOR UPDATE'],
  ['SELECT Id FROM Account for   view', 'FOR VIEW'],
  ['SELECT Id FROM Account for\nreference', 'FOR REFERENCE'],
  ['SELECT Id FROM Account FOR REFERENCE', 'FOR REFERENCE'],
  ['SELECT Id FROM Account LIMIT 1 FOR UPDATE', 'FOR UPDATE'],
  ['SELECT Id FROM Account ALL ROWS FOR UPDATE', 'FOR UPDATE'],
  ["SELECT Title FROM KnowledgeArticleVersion WHERE Language = 'en_US' UPDATE VIEWSTAT", 'UPDATE VIEWSTAT'],
  ["SELECT Title FROM KnowledgeArticleVersion WHERE Language = 'en_US' UPDATE TRACKING", 'UPDATE TRACKING'],
  ['SELECT Id, (SELECT Id FROM Contacts FOR VIEW) FROM Account', 'FOR VIEW'],
  ['SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact FOR UPDATE)', 'FOR UPDATE'],
  ['SELECT Id FROM Account WHERE', 'not understood'],
  ['SELECT Id FROM', 'not understood'],
  ['SELECT FROM Account', 'not understood'],
  ['SELECT Id, FROM Account', 'not understood'],
  ['SELECT Id', 'where FROM is needed'],
  ['SELECT * FROM Account', 'is only allowed inside quotes'],
  ['SELECT Id FROM Account DELETE FROM Contact', 'not understood: FROM'],
  ['SELECT Id FROM Account UPDATE Contact SET Name = 1', 'UPDATE CONTACT'],
  ['SELECT Id FROM Account INSERT Contact', 'not understood'],
  ["SELECT Id FROM Account WHERE Name = 'a' DELETE Contact", 'not understood: DELETE'],
  ["SELECT Id FROM Account WHERE Name = 'a' UNION SELECT Id FROM User", 'not understood: UNION'],
  ['SELECT Id FROM Account SELECT Id FROM User', 'not understood: SELECT'],
  ['SELECT Id FROM Account WHERE Id = (SELECT Id FROM User)', 'not understood'],
  ["SELECT Id FROM Account WHERE Name = 'a", 'does not end'],
  ["SELECT Id FROM Account WHERE Name = 'a\\'", 'does not end'],
  ["SELECT Id FROM Account WHERE Name = 'a\nb'", 'line break'],
  ["SELECT Id FROM Account WHERE Name = 'a\u0000b'", 'control character'],
  ["SELECT Id FROM Account WHERE Name = 'a\u2028b'", 'line break'],
  ["SELECT Id FROM Account WHERE Name = 'a\ud800b'", 'control character'],
  ['SELECT Id FROM Account WHERE Name = "a"', 'single quotes'],
  ['SELECT Id FROM Account WHERE Name = ‘a’', 'single quotes'],
  ['SELECT Id FROM Account WHERE Name IN :names', 'a variable of Apex'],
  ['SELECT Id FROM Account WHERE Name = :name', 'a variable of Apex'],
  ['SELECT Id FROM Account LIMIT :n', 'a variable of Apex'],
  ['SELECT\u00a0Id FROM Account', 'U+00A0'],
  ['SELECT Id FROM Account\u200b', 'U+200B'],
  ['SELECT Id FROM Ａccount', 'Ａ'],
  ['SELECT Id FROM Account WHERE (Name = 1', 'where ) is needed'],
  ['SELECT Id FROM Account WHERE Name = 1)', 'not understood: )'],
  ['SELECT Id FROM Account LIMIT 1 WHERE Name = 1', 'not understood: WHERE'],
  ['SELECT Id FROM Account ALL', 'where ROWS is needed'],
  [`SELECT Id FROM Account WHERE ${'('.repeat(100)}Name = 1${')'.repeat(100)}`, 'nested deeper'],
  [`SELECT ${'f('.repeat(200)}Id${')'.repeat(200)} FROM Account`, 'nested deeper'],
  [`SELECT ${'(SELECT '.repeat(200)}Id`, 'nested deeper'],
  [`SELECT Id FROM Account WHERE Name = '${'a'.repeat(1 << 20)}'`, 'more than 12000'],
])('refused: %s', (soql, why) => {
  expect(() => assertSelect(soql)).toThrow(NoSelect)
  expect(() => assertSelect(soql)).toThrow(why)
})

test('text inside quotes is never read as syntax', () => {
  const awkward = ["'", '\\', ';', '--', ' FOR UPDATE', '(', ')', ' ', 'a']
  for (const one of awkward)
    for (const other of awkward) {
      const escaped = (one + other).replaceAll('\\', '\\\\').replaceAll("'", "\\'")
      expect(() => assertSelect(`SELECT Id FROM Account WHERE Name = '${escaped}'`)).not.toThrow()
    }
})

test('any statement of the largest size is read', () => {
  const fill = (piece: string): string => piece.repeat(Math.floor(11_000 / piece.length))
  const read = (soql: string): string => {
    try {
      assertSelect(soql)
      return 'read'
    } catch (error) {
      return error instanceof NoSelect ? 'refused' : String(error)
    }
  }
  const statements = [
    [`SELECT ${fill('a,')}a FROM b`, 'read'],
    [`SELECT ${fill('a.')}a FROM b`, 'read'],
    [`SELECT a FROM b WHERE ${fill('NOT ')}a = 1`, 'read'],
    [`SELECT a FROM b WHERE c IN (${fill("'',")}'')`, 'read'],
    [`SELECT a FROM b WHERE ${fill('a=1 AND ')}a=1`, 'read'],
    [`SELECT a FROM b WHERE c = ${fill('9')}`, 'read'],
    [`SELECT a FROM b WHERE c = '${fill('\\')}`, 'refused'],
    [`SELECT a FROM b${fill(' ')}x y`, 'refused'],
  ] as const
  expect(statements.map(([soql]) => read(soql))).toEqual(statements.map(([, outcome]) => outcome))
})
