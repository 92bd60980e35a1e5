import test from 'ava';
import type { ConditionStatus } from '../../../../../sdk/index.ts';
import { stuckIn } from '../../../../../sequencer/cli/doctor/stuck.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const now = Date.parse('2030-01-01T00:00:00Z');
const options = { now, registered: new Set(['acme']), operatorNamespace: 'ops' };

/** A workspace whose conditions have had their statuses for so many minutes. */
function aged(name: string, conditions: Readonly<Record<string, ConditionStatus>>, minutes: number) {
  const workspace = aWorkspace({ name, conditions });
  const lastTransitionTime = new Date(now - minutes * 60_000).toISOString();
  const all = workspace.status?.conditions?.map((condition) => ({ ...condition, lastTransitionTime })) ?? [];
  return { ...workspace, status: { ...workspace.status, conditions: all } };
}

test('what waits for a person is reported at once, with the command that resolves it', (t) => {
  const [finding, ...more] = stuckIn([aged('shop', { DNS: 'Unknown', Ready: 'Unknown' }, 0)], options);
  t.like(finding, { status: 'problem', detail: 'default/shop  DNS  Unknown for 0 min: Unknown' });
  t.is(finding?.next, 'sequencer resolve shop DNS --namespace default --operator-namespace ops');
  t.deepEqual(more, []);
});

test('what should pass is reported after ten minutes', (t) => {
  const of = (status: ConditionStatus, minutes: number) =>
    stuckIn([aged('shop', { DNS: status }, minutes)], options).map((finding) => finding.status);
  for (const status of ['Error', 'Locked', 'Waiting'] as const) {
    t.deepEqual(of(status, 9), ['ok'], status);
    t.deepEqual(of(status, 10), ['problem'], status);
  }
  t.deepEqual(of('Completed', 1000), ['ok']);
});

test('a claim that the config does not know is reported, with both ways out', (t) => {
  const finalizers = ['se.quencer.io/acme', 'se.quencer.io/gone', 'example.com/other'];
  const [finding, ...more] = stuckIn([aWorkspace({ finalizers })], options);
  t.like(finding, {
    status: 'problem',
    next: 'put gone back into the config, or release its claims: sequencer run --orphan gone',
  });
  t.deepEqual(more, []);
});

test('thousands of problems become fifty, and a number', (t) => {
  const many = Array.from({ length: 2_000 }, (_, index) => aged(`shop-${index}`, { DNS: 'Error' }, 20));
  const findings = stuckIn(many, options);
  t.is(findings.length, 51);
  t.is(findings.at(-1)?.detail, 'and 1950 more');
});

test('paused workspaces are not counted as problems, and are listed up to a limit', (t) => {
  const paused = Array.from({ length: 60 }, (_, index) =>
    aWorkspace({ name: `paused-${index}`, annotations: { 'se.quencer.io/paused': 'true' } }),
  );
  const findings = stuckIn([aged('shop', { DNS: 'Error' }, 20), ...paused], options);
  t.deepEqual(
    findings.filter(({ status }) => status === 'problem').map(({ detail }) => detail.slice(0, 17)),
    ['default/shop  DNS'],
  );
  t.is(findings.length, 52);
  t.like(findings.at(-1), { status: 'ok', detail: 'and 10 more are paused' });
});

test('claims of configs are those of a type that is opened to tenants', (t) => {
  const claimed = aWorkspace({ finalizers: ['se.quencer.io/dns.mine.0123456789ab'] });
  t.like(stuckIn([claimed], options), [{ status: 'problem' }]);
  t.like(stuckIn([claimed], { ...options, types: ['dns'] }), [{ status: 'ok' }]);
});
