import test from 'ava';
import { redact, redactedJson } from '../../../sdk/index.ts';

for (const [text, clean] of [
  [
    'GET https://admin:hunter22@host:8443/x?api_key=abc&page=2: 401',
    'GET https://***@host:8443/x?api_key=***&page=2: 401',
  ],
  ['postgres://u:p@ss@db/shop', 'postgres://***@db/shop'],
  ['https://token@host', 'https://***@host'],
  ['Authorization: Bearer abc.def', 'Authorization: ***'],
  ['{"authorization":"Basic YTpi","a":"b"}', '{"authorization":"***","a":"b"}'],
  ['proxy-authorization=Basic YTpi, refused', 'proxy-authorization=***, refused'],
  ['sent Bearer 0123456789abcdef0123 to it', 'sent Bearer *** to it'],
  ['/a?access_token=x&X-Amz-Signature=y&Expires=3#f', '/a?access_token=***&X-Amz-Signature=***&Expires=3#f'],
  ['/a?sig=x;y z', '/a?sig=*** z'],
  ['login failed: user=me password=hunter2, retry', 'login failed: user=me password=***, retry'],
  ['client_secret=abc&grant=x', 'client_secret=***&grant=x'],
  ['{"error":"no","api_key": "a\\"b","token":7}', '{"error":"no","api_key": "***","token":7}'],
  ["https://admin:it's@host/x", 'https://***@host/x'],
  ["['authorization', 'Basic YTpi', 'accept', 'x']", "['authorization', '***', 'accept', 'x']"],
  ['sent Basic dXNlcjpwYXNz to it', 'sent Basic *** to it'],
  ['X-Api-Key: abc, accept: x', 'X-Api-Key: ***, accept: x'],
  ['PRIVATE-TOKEN: glpat-x\nset-cookie: sid=1; path=/', 'PRIVATE-TOKEN: ***\nset-cookie: ***; path=/'],
  ["{ user: 'me', password: 'a\\'b' }", "{ user: 'me', password: '***' }"],
  ['"{\\"password\\":\\"hunter22\\",\\"a\\":1}"', '"{\\"password\\":\\"***\\",\\"a\\":1}"'],
  ['Authorization: Token token="abc", x', 'Authorization: ***, x'],
  ['authorization: Digest username="u", realm="r r", response="abc"', 'authorization: ***'],
  ['Authorization: AWS4-HMAC-SHA256 Credential=AK/s3, SignedHeaders=host, Signature=abc', 'Authorization: ***'],
  ['{"authorization":"OAuth oauth_token=\\"abc\\", oauth_signature=\\"d\\"","a":1}', '{"authorization":"***","a":1}'],
  ['Authorization: Bearer "abc" is refused', 'Authorization: ***" is refused'],
  ['Cookie: sid=abc; session=def, accept: x', 'Cookie: ***, accept: x'],
  ['connect to https:\\/\\/admin:hunter22@host\\/x', 'connect to https:\\/\\/***@host\\/x'],
  ['DD-API-KEY: abc, apikey: def', 'DD-API-KEY: ***, apikey: ***'],
  ['provider { token: "a\\"b", zone: "c" }', 'provider { token: "***", zone: "c" }'],
  [
    '-----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY-----',
    '-----BEGIN EC PRIVATE KEY-----***-----END EC PRIVATE KEY-----',
  ],
] as const)
  test(`of ${text} a reader sees ${clean}`, (t) => {
    t.is(redact(text), clean);
  });

for (const text of [
  'workspace default/shop: 2 of 2 components ready',
  'GET https://host:6443/api/v1/pods?labelSelector=app%3Dweb&limit=500: no answer',
  'whether "create" (key ws-0123456789abcdef-1) was carried out is not known',
  'the key op-key may not update the zone example.test',
  'bearer tokens are refused; token: expired',
  'basic authentication is off, Basic Authorization too',
  'Secret default/shop-db-password: exists and has another owner',
  'Secret default/shop-api-key: exists and has another owner',
  'next-token: 4',
  'check option apiKey, and the setting api-key',
  "fetch('https://example.test','me@example.test')",
  'mail to me@example.test about https://example.test/a@b',
])
  test(`nothing is taken out of: ${text}`, (t) => {
    t.is(redact(text), text);
  });

test('of JSON all strings are redacted, and those whose names say that they are secrets', (t) => {
  const value = {
    err: { message: 'password=x', config: { headers: { Authorization: 'y', 'x-api-key': 'z' } } },
    list: ['token=a'],
    raw: { token: ['b', 'c'], headers: ['Authorization', 'Basic YTpi', 'accept', 'd'], pairs: [['x-auth-token', 'e']] },
    token: 7,
    key: 'default/shop',
  };
  t.deepEqual(redactedJson(value, redact), {
    err: { message: 'password=***', config: { headers: { Authorization: '***', 'x-api-key': '***' } } },
    list: ['token=***'],
    raw: {
      token: ['***', '***'],
      headers: ['Authorization', '***', 'accept', 'd'],
      pairs: [['x-auth-token', '***']],
    },
    token: 7,
    key: 'default/shop',
  });
});
