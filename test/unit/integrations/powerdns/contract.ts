/** Requests with the answers of a PowerDNS server, which both the stand-in and the real server have to give. */

import type { ExecutionContext } from 'ava';
import { zone } from '../fixtures/a-dns-spec.ts';

/** Sends a request to the API of a server, with its key. */
export type Sender = (method: string, path: string, body?: object) => Promise<Response>;

const replace = (name: string, type: string, ...contents: readonly string[]) => ({
  name,
  type,
  ttl: 60,
  changetype: 'REPLACE',
  records: contents.map((content) => ({ content, disabled: false })),
});
const remove = (name: string, type: string) => ({ name, type, changetype: 'DELETE' });
const web = `web.${zone}.`;
const comment = { content: 'workspace uid-1', account: 'workspace-sequencer' };
const long = `"${'x'.repeat(255)}" "y"`;
const odd = '"a\\"b\\\\c \\195\\164"';

/** Batches of changes, each with its status and the RRsets at `web` afterwards, as `TYPE TTL CONTENT`. */
const batches: readonly (readonly [
  what: string,
  changes: readonly object[],
  status: number,
  after: readonly string[],
])[] = [
  ['a new RRset', [replace(web, 'A', '192.0.2.1')], 204, ['A 60 192.0.2.1']],
  ['the same again', [replace(web, 'A', '192.0.2.1')], 204, ['A 60 192.0.2.1']],
  ['another owner’s value: there is no compare-and-set', [replace(web, 'A', '192.0.2.2')], 204, ['A 60 192.0.2.2']],
  ['a comment, and then none', [{ ...replace(web, 'A', '192.0.2.1'), comments: [comment] }], 204, ['A 60 192.0.2.1']],
  ['an alias beside an address', [replace(web, 'CNAME', 'lb.other.test.')], 422, ['A 60 192.0.2.1']],
  [
    'an alias before the deletion',
    [replace(web, 'CNAME', 'lb.other.test.'), remove(web, 'A')],
    422,
    ['A 60 192.0.2.1'],
  ],
  [
    'an alias in its stead',
    [remove(web, 'A'), replace(web, 'CNAME', 'LB.other.test.')],
    204,
    ['CNAME 60 LB.other.test.'],
  ],
  ['an address beside an alias', [replace(web, 'A', '192.0.2.1')], 422, ['CNAME 60 LB.other.test.']],
  ['IPv6 in long form', [remove(web, 'CNAME'), replace(web, 'AAAA', '2001:DB8:0::1')], 204, ['AAAA 60 2001:db8::1']],
  ['texts', [replace(web, 'TXT', long, odd)], 204, ['AAAA 60 2001:db8::1', `TXT 60 ${odd}`, `TXT 60 ${long}`]],
  [
    'one bad of two',
    [remove(web, 'TXT'), replace(web, 'A', 'nope')],
    422,
    ['AAAA 60 2001:db8::1', `TXT 60 ${odd}`, `TXT 60 ${long}`],
  ],
  ['all of it', [remove(web, 'TXT'), remove(web, 'AAAA')], 204, []],
  ['what is not there', [remove(web, 'A')], 204, []],
  ['a name without a final dot', [replace(`web.${zone}`, 'A', '192.0.2.1')], 422, []],
  ['a name of another zone', [replace('web.other.test.', 'A', '192.0.2.1')], 422, []],
  ['a wildcard, made and removed', [replace(`*.${zone}.`, 'A', '192.0.2.1'), remove(`*.${zone}.`, 'A')], 204, []],
  ['a star inside of a name', [replace(`_op-owner.*.${zone}.`, 'TXT', '"x"')], 422, []],
  ['an alias without a final dot', [replace(web, 'CNAME', 'lb.other.test')], 422, []],
  ['a text without quotes', [replace(web, 'TXT', 'some text')], 422, []],
  ['a value twice', [replace(web, 'TXT', '"x"', '"x"')], 422, []],
  ['an RRset twice', [replace(web, 'A', '192.0.2.1'), replace(web, 'A', '192.0.2.2')], 422, []],
];

interface Answer {
  readonly rrsets?: readonly {
    readonly type: string;
    readonly ttl: number;
    readonly records: readonly { readonly content: string }[];
  }[];
  readonly error?: string;
}

/** Asserts that a server answers all requests as PowerDNS does. */
export async function expectPowerdns(t: ExecutionContext, send: Sender): Promise<void> {
  const at = `/zones/${zone}.`;
  for (const [what, rrsets, status, after] of batches) {
    const answer = await send('PATCH', at, { rrsets });
    t.is(answer.status, status, what);
    if (status === 422) t.is(typeof ((await answer.json()) as Answer).error, 'string', what);
    const { rrsets: found } = (await (await send('GET', `${at}?rrset_name=${web}`)).json()) as Answer;
    const told = found?.flatMap(({ type, ttl, records }) => records.map(({ content }) => `${type} ${ttl} ${content}`));
    t.deepEqual(told?.sort(), [...after].sort(), what);
  }
  const disabled = { ...replace(web, 'A'), records: [{ content: '192.0.2.1', disabled: true }] };
  t.is((await send('PATCH', at, { rrsets: [disabled] })).status, 204);
  t.like(await (await send('GET', `${at}?rrset_name=${web}`)).json(), { rrsets: [] });
  for (const [method, path, status] of [
    ['GET', '', 200],
    ['GET', '/zones/absent.test.?rrset_name=web.absent.test.', 404],
    ['PATCH', '/zones/absent.test.', 404],
    ['POST', at, 405],
  ] as const)
    t.is((await send(method, path, method === 'GET' ? undefined : {})).status, status, `${method} ${path}`);
}
