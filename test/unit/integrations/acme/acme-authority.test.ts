import test from 'ava';
import { accountKeyOf } from '../../../../integrations/acme/account-key.ts';
import { acmeAuthority } from '../../../../integrations/acme/acme-authority.ts';
import { AcmeRefusal, type AcmeServer, acmeServer } from '../../../../integrations/acme/acme-server.ts';
import { certificateRequest, leafOf, newKey } from '../../../../integrations/acme/certificates.ts';
import { DefiniteError, systemClock } from '../../../../sdk/index.ts';
import { AcmeServerInMemory, origin } from './fixtures/a-server.ts';
import { accountKey } from './fixtures/subject.ts';

const { signal } = new AbortController();
const key = accountKeyOf(accountKey)!;

function anAuthority() {
  const texts: string[] = [];
  const memory = new AcmeServerInMemory({ clock: systemClock, texts: () => texts });
  const server = acmeServer({
    ...{ directory: `${origin}/dir`, accountKey: key, email: undefined, externalAccount: undefined },
    ...{ fetch: memory.fetch, clock: systemClock, deadline: 1_000, concurrency: 4 },
  });
  return { texts, memory, authority: acmeAuthority({ server, key, type: 'dns-01' }) };
}

/** An authority whose server answers each request with the next of these. */
function answering(...answers: readonly { readonly body: unknown; readonly headers?: Record<string, string> }[]) {
  const left = [...answers];
  const answer = async () => {
    const { body, headers = {} } = left.shift()!;
    return { body, headers: new Headers(headers) };
  };
  const server: AcmeServer = { resource: async (name) => `${origin}/${name}`, request: answer, read: answer };
  return acmeAuthority({ server, key, type: 'dns-01' });
}

const location = { location: `${origin}/order/1` };
const pendingOrder = { status: 'pending', finalize: `${origin}/finalize/1`, authorizations: [`${origin}/authz/1`] };
const authorization = (more: object = {}) => ({
  status: 'pending',
  identifier: { type: 'dns', value: 'a.example.test' },
  challenges: [{ type: 'dns-01', url: `${origin}/challenge/1`, token: 'abc', status: 'pending' }],
  ...more,
});
const names = ['a.example.test'];

test('an order goes from its challenges to a certificate, and each step may be taken twice', async (t) => {
  const { texts, authority, memory } = anAuthority();
  const { url, challenges } = await authority.order({ names: ['*.a.example.test', 'a.example.test'], signal });
  t.deepEqual(
    challenges.map(({ name }) => name),
    ['_acme-challenge.a.example.test', '_acme-challenge.a.example.test'],
  );
  t.is((await authority.read({ url, signal }))?.status, 'pending');
  texts.push(...challenges.map(({ text }) => text));
  for (const { url: challenge } of [...challenges, ...challenges]) await authority.answer({ url: challenge, signal });
  const ready = await authority.read({ url, signal });
  t.is(ready?.status, 'ready');
  const [own, finalize] = [newKey(), ready!.finalize];
  const request = certificateRequest(own, ['*.a.example.test', 'a.example.test']);
  await authority.finalize({ url: finalize, request, signal });
  await authority.finalize({ url: finalize, request, signal });
  t.is(memory.certificates.length, 1);
  const { certificate = '' } = (await authority.read({ url, signal }))!;
  const leaf = leafOf(await authority.certificate({ url: certificate, signal }))!;
  t.true(leaf.isOf(own));
  const window = (await authority.renewalWindow({ id: leaf.renewalId!, signal }))!;
  t.true(window.start > Date.now() && window.start <= window.end);
  await authority.revoke({ raw: leaf.raw, signal });
  await authority.revoke({ raw: leaf.raw, signal });
  t.true((await authority.renewalWindow({ id: leaf.renewalId!, signal }))!.start < Date.now());
});

test('an order that has failed says why, one that is not known is undefined', async (t) => {
  const { authority } = anAuthority();
  const { url, challenges } = await authority.order({ names, signal });
  await authority.answer({ url: challenges[0]!.url, signal });
  t.like(await authority.read({ url, signal }), {
    status: 'invalid',
    problem: 'a.example.test: No TXT record found at _acme-challenge.a.example.test (unauthorized)',
  });
  t.is(await authority.read({ url: `${origin}/order/none`, signal }), undefined);
  t.is(await authority.renewalWindow({ id: 'none', signal }), undefined);
  await t.throwsAsync(authority.revoke({ raw: 'AAAA', signal }), { instanceOf: AcmeRefusal });
});

test('a name that is proved already needs no challenge', async (t) => {
  const authority = answering({ body: pendingOrder, headers: location }, { body: authorization({ status: 'valid' }) });
  t.deepEqual(await authority.order({ names, signal }), { url: `${origin}/order/1`, challenges: [] });
});

test('a server that wants other names proved, or offers no such challenge, is not obeyed', async (t) => {
  for (const [body, message] of [
    [authorization({ identifier: { type: 'dns', value: 'b.example.test' } }), /proof of a name that was not ordered/],
    [
      authorization({ challenges: [{ type: 'http-01', url: `${origin}/challenge/1`, token: 'abc' }] }),
      /a.example.test cannot be proved by dns-01/,
    ],
    [authorization({ status: 'deactivated' }), /its authorization is deactivated/],
    [authorization({ challenges: [{ type: 'dns-01', url: `${origin}/challenge/1`, token: '../x' }] }), /by dns-01/],
    [
      authorization({ challenges: [{ type: 'dns-01', url: `${origin}/${'x'.repeat(500)}`, token: 'abc' }] }),
      /by dns-01/,
    ],
    ['none', /that was not ordered/],
  ] as const)
    await t.throwsAsync(answering({ body: pendingOrder, headers: location }, { body }).order({ names, signal }), {
      instanceOf: DefiniteError,
      message,
    });
  await t.throwsAsync(answering({ body: pendingOrder }).order({ names, signal }), { message: /where its order is/ });
});

test('an answer that is not an order is of unknown outcome, and a wait is bounded', async (t) => {
  for (const body of [undefined, [], { status: 'pending' }, { status: 'odd', finalize: 'x' }]) {
    const error = await t.throwsAsync(answering({ body }).read({ url: `${origin}/order/1`, signal }), {
      message: /invalid order/,
    });
    t.false(error instanceof DefiniteError);
  }
  const wait = async (header: string) =>
    (
      await answering({ body: pendingOrder, headers: { 'retry-after': header } }).read({
        url: `${origin}/order/1`,
        signal,
      })
    )?.retryAfter;
  t.deepEqual(
    [await wait('3'), await wait('100000'), await wait('-1'), await wait('soon')],
    [3_000, 60_000, undefined, undefined],
  );
});

test('a renewal window that is none is left out', async (t) => {
  for (const body of [
    undefined,
    {},
    { suggestedWindow: { start: 'x', end: 'y' } },
    { suggestedWindow: { start: '2026-02-01T00:00:00Z', end: '2026-01-01T00:00:00Z' } },
  ])
    t.is(await answering({ body }).renewalWindow({ id: 'a.b', signal }), undefined);
});
