import test, { type ExecutionContext } from 'ava';
import { UserError } from '../../../../../sdk/index.ts';
import { hooksSubject } from '../../../../../sequencer/cli/prove/hooks-subject.ts';
import { startHooksServer } from '../../../integrations/http/a-hooks-server.ts';
import type { StandInOptions } from '../../../integrations/http/stand-in.ts';
import { secret } from '../../../integrations/http/subject.ts';

async function aServer(t: ExecutionContext, options: Partial<StandInOptions> = {}) {
  const server = await startHooksServer({ secret, identity: 'name', ...options });
  t.teardown(() => server.close());
  return server;
}

test('a subject is what the server says of itself', async (t) => {
  const { url } = await aServer(t);
  t.like(await hooksSubject({ url, secret }), {
    identity: 'name',
    spec: { integrations: { proved: { size: 1, color: 'red' } } },
    edited: { integrations: { proved: { size: 2, color: 'blue' } } },
    sameName: 'separate',
    drift: 'fixed',
    time: 'real',
    limits: undefined,
    secrets: [secret],
  });
});

test('what is asked for may be named otherwise, and functions may take longer', async (t) => {
  const { url } = await aServer(t, { identity: 'opaque' });
  t.like(await hooksSubject({ url, secret, time: 'virtual', lease: 3000, wanted: { size: 5 }, edited: { size: 6 } }), {
    identity: 'opaque',
    spec: { integrations: { proved: { size: 5 } } },
    edited: { integrations: { proved: { size: 6 } } },
    time: 'virtual',
    limits: { lease: 3000, settle: 90_000 },
  });
});

test('two things of a workspace are asked for by a list', async (t) => {
  const { url } = await aServer(t);
  const two = (wanted: object) => ['first', 'second'].map((name) => ({ ...wanted, name }));
  t.like(await hooksSubject({ url, secret, several: true }), {
    spec: { integrations: { proved: two({ size: 1, color: 'red' }) } },
    edited: { integrations: { proved: two({ size: 2, color: 'blue' }) } },
  });
});

test('each life has a path of its own, which is empty at its beginning and forgotten at its end', async (t) => {
  const { url, places } = await aServer(t);
  const subject = await hooksSubject({ url, secret });
  const one = await subject.start({} as never);
  const two = await subject.start({} as never);
  const paths = [...places.keys()].filter((path) => path !== '/');
  t.is(paths.length, 2);
  t.deepEqual([await one.remote(), await two.remote()], [[], []]);
  await one.close?.();
  t.is(places.get(paths[0]!)?.called.at(-1), 'testReset');
});

test('an address without a server, and a wrong secret, are reported with what to look at', async (t) => {
  const { url } = await aServer(t);
  const gone = await aServer(t);
  gone.close();
  const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  for (const [server, message] of [
    [{ url: gone.url, secret }, /does not answer describe: proved: POST \/: fetch failed \(ECONNREFUSED\)/],
    [{ url, secret: other }, /does not answer describe: proved: describe: HTTP 401: wrong signature/],
  ] as const) {
    const error = await t.throwsAsync(hooksSubject(server), { instanceOf: UserError, message });
    t.is(error?.code, 'E#2070');
    t.regex(error?.hint ?? '', /HOOKS_SECRET/);
  }
});

test('a server in earnest is not proved', async (t) => {
  const { url } = await aServer(t, { isInEarnest: true });
  const error = await t.throwsAsync(hooksSubject({ url, secret }), { instanceOf: UserError });
  t.regex(error?.message ?? '', /was not started for a proof: describe returns no member testing/);
});
