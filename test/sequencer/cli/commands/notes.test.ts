import test from 'ava';
import { defineIntegration, type Integration } from '../../../../sdk/index.ts';
import { notesOn } from '../../../../sequencer/cli/commands/notes.ts';

const integration = (condition: string, more: Partial<Integration> = {}): Integration =>
  defineIntegration({
    name: condition.toLowerCase(),
    condition,
    handles: ({ spec }) => spec.integrations?.powerdns !== undefined,
    connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
    ...more,
  });
const manifest = (integrations: object, kind = 'Workspace') => ({
  where: 'my.yaml:1',
  object: { apiVersion: 'se.quencer.io/v1alpha1', kind, metadata: { name: 'shop' }, spec: { integrations } },
});

test('a member of integrations that no registered integration looks for is told, with the one that was meant', (t) => {
  const manifests = [manifest({ powerDNS: {}, powerdns: {} }), manifest({ uptime: {} })];
  t.deepEqual(notesOn([integration('DNS')], manifests), [
    'my.yaml:1: spec.integrations.powerDNS: no registered integration looks for it; did you mean powerdns?',
    'my.yaml:1: spec.integrations.uptime: no registered integration looks for it',
  ]);
  t.deepEqual(notesOn([integration('DNS')], [manifest({ powerDNS: {} }, 'ConfigMap'), manifest({})]), []);
});

test('an integration that looks by other means, or throws, is heeded', (t) => {
  const looking: readonly Integration['handles'][] = [
    ({ spec }) => 'mail' in (spec.integrations ?? {}),
    ({ spec }) => Object.keys(spec.integrations ?? {}).includes('mail'),
    ({ spec }) => (spec.integrations as { mail: { on: boolean } }).mail.on,
    ({ spec: { integrations: { mail } = {} } }) => mail !== undefined,
  ];
  for (const handles of looking) t.deepEqual(notesOn([integration('Mail', { handles })], [manifest({ mail: {} })]), []);
});

test('a condition in after that nearly is another one’s is told; one that may be registered elsewhere is not', (t) => {
  const notes = notesOn([integration('Components'), integration('DNS', { after: ['Componentz', 'Tunneling'] })], []);
  t.deepEqual(notes, [
    'integration dns: after names Componentz, which no registered integration answers for; did you mean Components?',
  ]);
});
