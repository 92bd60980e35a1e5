import test from 'ava';
import {
  type CloudflareRecord,
  isEmptyBatch,
  nameHolderOf,
  type RecordReplacement,
  recordsOwnedBy,
  removalBatch,
  replacementBatch,
  visibleOf,
} from '../../../../integrations/cloudflare/records.ts';
import { ownerMark } from '../../../../integrations/dns/owners.ts';

const zone = 'example.test';
const name = 'web.example.test';
const record = (id: string, content: string, change: Partial<CloudflareRecord> = {}): CloudflareRecord => ({
  id,
  name,
  type: 'A',
  content,
  ttl: 60,
  proxied: false,
  comment: ownerMark('me'),
  createdOn: Number(id),
  ...change,
});
const theirs = { comment: ownerMark('you') };
const unmarked = { comment: '' };
const wanted = (type: 'A' | 'AAAA' | 'CNAME' | 'TXT', target: string) => ({ zone, name, type, target });

/** Changes in short: `- id`, `= id TYPE CONTENT`, `+ TYPE CONTENT`. */
function changes(change: Pick<RecordReplacement, 'records' | 'present'> & Partial<RecordReplacement>) {
  const { deletes, puts, posts } = replacementBatch({ owner: 'me', former: [], ttl: 60, ...change });
  return [
    ...deletes.map(({ id }) => `- ${id}`),
    ...puts.map(({ id, type, content }) => `= ${id} ${type} ${content}`),
    ...posts.map(({ type, content }) => `+ ${type} ${content}`),
  ];
}

test('the holder of a name is the owner of its oldest record with a mark', (t) => {
  t.is(nameHolderOf([]), undefined);
  t.is(nameHolderOf([record('1', '192.0.2.1', unmarked)]), undefined);
  t.is(nameHolderOf([record('1', 'x', unmarked), record('3', 'x', theirs), record('2', 'x')]), 'me');
  t.is(nameHolderOf([record('2', 'x', { createdOn: 1 }), record('1', 'x', { ...theirs, createdOn: 1 })]), 'you');
});

test('a free name is filled, with the mark and never proxied', (t) => {
  const records = [wanted('A', '192.0.2.1'), { ...wanted('TXT', 'a "b"'), ttl: 300 }];
  const { posts, ...rest } = replacementBatch({ records, owner: 'me', former: [], ttl: 60, present: [] });
  t.deepEqual(rest, { deletes: [], puts: [] });
  const comment = ownerMark('me');
  t.deepEqual(posts, [
    { name, type: 'A', content: '192.0.2.1', ttl: 60, comment, proxied: false },
    { name, type: 'TXT', content: '"a \\"b\\""', ttl: 300, comment },
  ]);
});

test('what is as wanted stays, whatever its spelling', (t) => {
  const present = [
    record('1', '2001:db8::1', { type: 'AAAA' }),
    record('2', 'ab', { type: 'TXT' }),
    record('3', 'x', { type: 'MX', ...unmarked }),
  ];
  const records = [wanted('AAAA', '2001:DB8:0::1'), wanted('TXT', 'ab')];
  const batch = replacementBatch({ records, owner: 'me', former: [], ttl: 60, present });
  t.true(isEmptyBatch(batch));
});

test('a changed value overwrites, so that the record keeps its id; what is left over goes', (t) => {
  const present = [record('1', '192.0.2.1'), record('2', '192.0.2.2'), record('3', '192.0.2.3')];
  const records = [wanted('A', '192.0.2.2'), wanted('A', '192.0.2.9')];
  t.deepEqual(changes({ records, present }), ['- 3', '= 1 A 192.0.2.9']);
  t.deepEqual(changes({ records: [wanted('CNAME', 'lb.test')], present }), ['- 1', '- 2', '- 3', '+ CNAME lb.test']);
});

for (const [what, change] of [
  ['another TTL', { ttl: 5 }],
  ['proxied', { proxied: true }],
  ['the mark of an earlier uid', { comment: ownerMark('before') }],
] as const)
  test(`a record with ${what} is corrected`, (t) => {
    const present = [record('1', '192.0.2.1', change)];
    t.deepEqual(changes({ records: [wanted('A', '192.0.2.1')], present, former: ['before'] }), ['= 1 A 192.0.2.1']);
  });

test('of several with one value the oldest stays', (t) => {
  const present = [record('2', '192.0.2.1'), record('1', '192.0.2.1')];
  t.deepEqual(changes({ records: [wanted('A', '192.0.2.1')], present }), ['- 2']);
});

test('records without a mark go if they are in the way or of a type that is replaced; those of others never do', (t) => {
  const present = [
    record('1', '192.0.2.1'),
    record('2', '192.0.2.66', unmarked),
    record('3', '192.0.2.67', theirs),
    record('4', '"x"', { type: 'TXT', ...unmarked }),
  ];
  const records = [wanted('A', '192.0.2.1')];
  t.deepEqual(changes({ records, present }), []);
  t.deepEqual(changes({ records, present, types: ['A', 'CNAME'] }), ['- 2']);
  t.deepEqual(changes({ records: [wanted('CNAME', 'lb.test')], present }), ['- 1', '- 2', '+ CNAME lb.test']);
});

test('a look sees what belongs to the holder and what bears no mark', (t) => {
  const present = [
    record('1', '192.0.2.1'),
    record('2', '192.0.2.2', theirs),
    record('3', '"x"', { ...unmarked, type: 'TXT' }),
  ];
  t.deepEqual(
    visibleOf(present).map(({ id }) => id),
    ['1', '3'],
  );
  t.deepEqual(removalBatch(recordsOwnedBy(present, ['me'])).deletes, [{ id: '1' }]);
});

test('the name of a tunnel is proxied, with the TTL of the proxy, and seen while it is', (t) => {
  const target = 'a1.cfargotunnel.com';
  const tunnel = record('1', target, { type: 'CNAME', ttl: 1, proxied: true });
  const { posts } = replacementBatch({
    owner: 'me',
    former: [],
    ttl: 60,
    records: [wanted('CNAME', target)],
    present: [],
  });
  t.like(posts[0], { content: target, ttl: 1, proxied: true });
  const of = (present: CloudflareRecord) =>
    replacementBatch({ owner: 'me', former: [], ttl: 60, records: [wanted('CNAME', target)], present: [present] });
  t.true(isEmptyBatch(of(tunnel)));
  t.is(of({ ...tunnel, proxied: false }).puts.length, 1);
  t.deepEqual(visibleOf([tunnel]), [tunnel]);
  t.deepEqual(visibleOf([{ ...tunnel, proxied: false }]), []);
});
