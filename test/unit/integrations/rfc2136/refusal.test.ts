import test from 'ava';
import { isRefusalCode, refusalError } from '../../../../integrations/rfc2136/refusal.ts';
import type { Tsig } from '../../../../integrations/rfc2136/tsig.ts';
import { rcode } from '../../../../integrations/rfc2136/wire.ts';
import { DefiniteError } from '../../../../sdk/index.ts';

const asked = { server: '192.0.2.53:53', zone: 'example.test', keyName: 'op-key', fudge: 15 };
const tsig = (error: number, other = ''): Tsig => ({
  keyName: 'op-key',
  algorithm: 'hmac-sha256',
  time: 1_000,
  fudge: 15,
  mac: Buffer.alloc(0),
  originalId: 1,
  error,
  other: Buffer.from(other, 'hex'),
});

for (const [code, signature, message] of [
  [
    rcode.REFUSED,
    undefined,
    "REFUSED: the key op-key may not update the zone example.test: check the zone's update policy or acl",
  ],
  [
    rcode.NOTAUTH,
    undefined,
    'NOTAUTH: it is not the primary of the zone example.test, or the key op-key has no rights there: check the zone and its update policy',
  ],
  [
    rcode.NOTAUTH,
    tsig(0),
    'NOTAUTH: it is not the primary of the zone example.test, or the key op-key has no rights there: check the zone and its update policy',
  ],
  [
    rcode.NOTAUTH,
    tsig(rcode.BADKEY),
    'NOTAUTH/BADKEY: it does not know the key op-key: check key.name and key.algorithm, and its own key statement',
  ],
  [
    rcode.NOTAUTH,
    tsig(rcode.BADSIG),
    'NOTAUTH/BADSIG: the signature by op-key does not hold: check key.secret and key.algorithm',
  ],
  [
    rcode.NOTAUTH,
    tsig(rcode.BADTIME, '000000000000'),
    'NOTAUTH/BADTIME: the two clocks differ by 1000 s, more than the fudge of 15 s allows: synchronize them',
  ],
  [
    rcode.NOTAUTH,
    tsig(rcode.BADTIME),
    'NOTAUTH/BADTIME: the two clocks differ, more than the fudge of 15 s allows: synchronize them',
  ],
  [rcode.NOTZONE, undefined, 'NOTZONE: a name is not within the zone example.test: check option zone'],
  [rcode.NOTIMP, undefined, 'NOTIMP: it does not do dynamic updates'],
  [rcode.FORMERR, undefined, 'FORMERR: it does not understand the request'],
] as const)
  test(`a refusal is definite and says what to look at: ${message.slice(0, message.indexOf(':'))}, ${signature?.error ?? 'unsigned'}/${signature?.other.length ?? 0}`, (t) => {
    t.true(isRefusalCode(code));
    const error = refusalError({ code, tsig: signature }, asked);
    t.true(error instanceof DefiniteError);
    t.is(error.message, `name server 192.0.2.53:53: ${message}`);
  });

test('what depends on what is published, or leaves open what happened, is not a refusal', (t) => {
  for (const code of [rcode.NOERROR, rcode.YXDOMAIN, rcode.YXRRSET, rcode.NXDOMAIN, rcode.NXRRSET, rcode.SERVFAIL])
    t.false(isRefusalCode(code));
});
