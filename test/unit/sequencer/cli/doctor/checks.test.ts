import test from 'ava';
import { createClient, ensureCrds, Lease, Workspace } from '../../../../../sdk/index.ts';
import { type CheckTarget, runChecks } from '../../../../../sequencer/cli/doctor/checks.ts';
import { accessOf } from '../../../../../sequencer/run/preflight/access.ts';
import { createCluster } from '../../../../cluster/index.ts';

const cluster = await createCluster({ rbac: true });
const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
test.after.always(async () => {
  await client.close();
  await cluster.close();
});
const now = Date.now();
const target: CheckTarget = {
  client,
  signal: new AbortController().signal,
  namespace: undefined,
  operatorNamespace: 'default',
  access: (running) => accessOf({ ...running, integrations: [], leaderElection: true }),
  kinds: [Workspace],
  registered: new Set(),
  isOperator: true,
  now: () => now,
  times: () => ({ server: now, here: now }),
  warnings: () => [],
};
const lease = { namespace: 'default', name: 'sequencer' };

/** Findings by their check, as their status and detail. */
const foundBy = async (more: Partial<CheckTarget> = {}): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    (await runChecks({ ...target, ...more })).map(({ check, status, detail }) => [check, `${status}: ${detail}`]),
  );

test.serial('without an installation each check names what is missing', async (t) => {
  const found = await foundBy({ isOperator: false });
  t.regex(found.connection!, /^ok: v1\./);
  t.is(found.clock, 'ok: 0 s apart from the server’s');
  t.is(found.definition, 'problem: workspaces.se.quencer.io is not installed');
  t.regex(found.rights!, /^problem: missing rights: get, list, watch, patch workspaces\.se\.quencer\.io/);
  t.regex(found.leader!, /^problem: there is no Lease sequencer in namespace default/);
  t.is(found.workspaces, 'unknown: the CustomResourceDefinition is not installed');
});

test.serial('once it is there, nothing is wrong; a Lease that is not renewed is', async (t) => {
  await ensureCrds(client, [Workspace]);
  const renewTime = new Date(now - 3_000).toISOString().replace('Z', '000Z');
  await client.create(Lease, { metadata: lease, spec: { holderIdentity: 'one', leaseDurationSeconds: 15, renewTime } });
  const found = await foundBy();
  t.true(
    Object.values(found).every((text) => text.startsWith('ok: ')),
    JSON.stringify(found),
  );
  t.is(found.leader, 'ok: one, renewed 3 s ago');
  t.is((await foundBy({ now: () => now + 60_000 })).leader, 'problem: one, renewed 63 s ago: it has expired');
  const skewed = await foundBy({ now: () => now + 60_000, times: () => ({ server: now, here: now + 60_000 }) });
  t.is(skewed.leader, 'ok: one, renewed 3 s ago', 'the server’s clock counts');
  t.is(skewed.clock, 'problem: 60 s apart from the server’s');
  await client.patch(Lease, lease, { type: 'merge', value: { spec: { renewTime: null } } });
  const unset = 'problem: one holds the Lease, but spec.renewTime is not set: it counts as expired';
  t.is((await foundBy()).leader, unset);
  await client.patch(Lease, lease, { type: 'merge', value: { spec: { renewTime } } });
});

test.serial('an interruption ends the checks, and is not reported as findings', async (t) => {
  const interrupt = new AbortController();
  const access: CheckTarget['access'] = (running) => {
    interrupt.abort(new DOMException('interrupted', 'AbortError'));
    return target.access(running);
  };
  await t.throwsAsync(runChecks({ ...target, access, signal: interrupt.signal }), { message: 'interrupted' });
});

test.serial('a server that does not answer is the only finding', async (t) => {
  const silent = await createCluster();
  silent.intercept(() => Promise.reject(new Error('cut off')));
  const nowhere = createClient({ server: silent.url, dispatcher: silent.dispatcher });
  t.like(await runChecks({ ...target, client: nowhere }), [{ check: 'connection', status: 'problem' }]);
  await nowhere.close();
  await silent.close();
});
