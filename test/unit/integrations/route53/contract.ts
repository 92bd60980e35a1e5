/** Batches of changes with the answers of Route 53, which the stand-in and the strict proxy before another server have to give. */

import {
  type Change,
  ChangeResourceRecordSetsCommand,
  InvalidChangeBatch,
  InvalidInput,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
  type Route53Client,
  type RRType,
} from '@aws-sdk/client-route-53';
import type { ExecutionContext } from 'ava';
import { zone } from '../fixtures/a-dns-spec.ts';

const web = `web.${zone}.`;
const set = (Type: RRType, TTL: number, ...values: readonly string[]): ResourceRecordSet => ({
  ...{ Name: web, Type, TTL },
  ResourceRecords: values.map((Value) => ({ Value })),
});
const change = (Action: Change['Action'], ResourceRecordSet: ResourceRecordSet): Change => ({
  Action,
  ResourceRecordSet,
});
const create = (...of: Parameters<typeof set>) => change('CREATE', set(...of));
const upsert = (...of: Parameters<typeof set>) => change('UPSERT', set(...of));
const remove = (...of: Parameters<typeof set>) => change('DELETE', set(...of));
const mark = (owner: string) => ({ ...set('TXT', 60, `"owner=${owner}"`), Name: `_op-owner.${web}` });
const one = '192.0.2.1';
const long = `"${'x'.repeat(255)}" "y"`;
const odd = '"a\\"b\\\\c \\303\\251"';

/** Batches, each with what is answered (nothing: a success) and the sets at `web` afterwards, as `TYPE TTL VALUE`. */
const batches: readonly (readonly [
  what: string,
  changes: readonly Change[],
  refusal: RegExp | undefined,
  after: readonly string[],
])[] = [
  ['a new set', [create('A', 60, one)], undefined, [`A 60 ${one}`]],
  ['the same again', [create('A', 60, one)], /but it already exists/, [`A 60 ${one}`]],
  ['another value', [create('A', 60, '192.0.2.2')], /but it already exists/, [`A 60 ${one}`]],
  ['a deletion of another value', [remove('A', 60, '192.0.2.2')], /do not match the current values/, [`A 60 ${one}`]],
  ['a deletion with another TTL', [remove('A', 61, one)], /do not match the current values/, [`A 60 ${one}`]],
  ['a deletion of what is absent', [remove('AAAA', 60, '::1')], /but it was not found/, [`A 60 ${one}`]],
  ['an alias beside an address', [create('CNAME', 60, 'lb.test')], /conflicting RRSet of type A/, [`A 60 ${one}`]],
  ['no address', [upsert('A', 60, 'not-an-ip')], /ARRDATAIllegalIPv4Address/, [`A 60 ${one}`]],
  ['a value twice', [upsert('A', 60, one, one)], /Duplicate Resource Record/, [`A 60 ${one}`]],
  ['one bad of two', [create('TXT', 60, '"x"'), create('A', 60, one)], /already exists/, [`A 60 ${one}`]],
  ['two deletions of one set', [remove('A', 60, one), remove('A', 60, one)], /was not found/, [`A 60 ${one}`]],
  ['a text without quotes', [create('TXT', 60, 'x')], /quotation marks/, [`A 60 ${one}`]],
  ['a text with decimal codes', [create('TXT', 60, '"\\195\\169"')], /InvalidCharacterString/, [`A 60 ${one}`]],
  ['texts', [create('TXT', 60, long, odd)], undefined, [`A 60 ${one}`, `TXT 60 ${odd}`, `TXT 60 ${long}`]],
  ['a deletion of all texts', [remove('TXT', 60, long, odd)], undefined, [`A 60 ${one}`]],
  [
    'a deletion and a creation of one set',
    [remove('A', 60, one), create('A', 30, '192.0.2.2')],
    undefined,
    ['A 30 192.0.2.2'],
  ],
  [
    'the same set deleted and created',
    [remove('A', 30, '192.0.2.2'), create('A', 30, '192.0.2.2')],
    undefined,
    ['A 30 192.0.2.2'],
  ],
  [
    'an alias in its stead',
    [remove('A', 30, '192.0.2.2'), create('CNAME', 60, 'lb.test')],
    undefined,
    ['CNAME 60 lb.test'],
  ],
  ['an address beside an alias', [upsert('A', 60, one)], /conflicting RRSet of type CNAME/, ['CNAME 60 lb.test']],
  ['all of it', [remove('CNAME', 60, 'lb.test')], undefined, []],
  ['a mark and its name', [change('CREATE', mark('me')), create('A', 60, one)], undefined, [`A 60 ${one}`]],
  [
    'compare and set by the owner',
    [change('DELETE', mark('me')), change('CREATE', mark('me')), upsert('A', 60, '192.0.2.2')],
    undefined,
    ['A 60 192.0.2.2'],
  ],
  [
    'compare and set by another',
    [change('DELETE', mark('you')), change('CREATE', mark('you')), upsert('A', 60, one)],
    /do not match the current values/,
    ['A 60 192.0.2.2'],
  ],
  ['a removal by the owner', [change('DELETE', mark('me')), remove('A', 60, '192.0.2.2')], undefined, []],
  [
    'a name of another zone',
    [change('CREATE', { ...set('A', 60, one), Name: 'web.other.test.' })],
    /is not permitted in zone/,
    [],
  ],
  ['neither values nor alias', [change('CREATE', { Name: web, Type: 'A', TTL: 60 })], /Expected exactly one of/, []],
];

/** Asserts that the official client is answered as AWS answers it. */
export async function expectRoute53(t: ExecutionContext, client: Route53Client, HostedZoneId: string): Promise<void> {
  for (const [what, Changes, refusal, after] of batches) {
    const sent = client.send(
      new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch: { Changes: [...Changes] } }),
    );
    if (refusal === undefined) {
      const { ChangeInfo } = await t
        .notThrowsAsync(
          sent.then((answer) => answer),
          what,
        )
        .then(() => sent);
      t.is(ChangeInfo?.Status, 'PENDING', what);
    } else {
      const error = await t.throwsAsync(sent, undefined, what);
      t.true(error instanceof InvalidChangeBatch || error instanceof InvalidInput, `${what}: ${error}`);
      t.regex(`${error?.message} ${(error as InvalidChangeBatch).messages ?? ''}`, refusal, what);
    }
    const { ResourceRecordSets = [] } = await client.send(
      new ListResourceRecordSetsCommand({ HostedZoneId, StartRecordName: web }),
    );
    const told = ResourceRecordSets.filter(({ Name }) => Name === web).flatMap(({ Type, TTL, ResourceRecords = [] }) =>
      ResourceRecords.map(({ Value }) => `${Type} ${TTL} ${Value}`),
    );
    t.deepEqual(told.sort(), [...after].sort(), what);
  }
}
