import test from 'ava';
import * as z from 'zod';
import { defineIntegration, type Integration, outputReferences } from '../../../../../sdk/index.ts';
import { notesOn, refuseSettings } from '../../../../../sequencer/cli/commands/notes.ts';

const integration = (more: Partial<Integration> = {}): Integration =>
  defineIntegration({
    name: 'powerdns',
    condition: 'DNS',
    handles: ({ spec }) => spec.integrations?.powerdns !== undefined,
    connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
    ...more,
  });
const manifest = (integrations: object, kind = 'Workspace') => ({
  where: 'my.yaml:1',
  object: { apiVersion: 'se.quencer.io/v1alpha1', kind, metadata: { name: 'shop' }, spec: { integrations } },
});

test('what no integration looks for, and a misspelt after, are reported with their place', (t) => {
  const manifests = [
    manifest({ powerDNS: {} }),
    manifest({ uptime: {} }),
    manifest({ uptime: {} }, 'ConfigMap'),
    manifest({}),
  ];
  const integrations = [integration(), integration({ name: 'web', condition: 'Web', after: ['DNZ'] })];
  t.deepEqual(notesOn({ integrations }, manifests), [
    'integration web: after names DNZ, which is the condition of no registered integration; did you mean DNS?',
    'my.yaml:1: spec.integrations.powerDNS: no registered integration reads it; did you mean powerdns?',
    'my.yaml:1: spec.integrations.uptime: no registered integration reads it',
  ]);
});

test('settings that break their schema are refused with file, line and field', (t) => {
  const integrations = [integration({ settings: z.strictObject({ zone: z.string() }) })];
  t.throws(() => refuseSettings(integrations, [manifest({ powerdns: { zones: 'a' } })]), {
    code: 'E#2022',
    message: 'my.yaml:1: Workspace shop is invalid',
  });
  const right = [manifest({ powerdns: { zone: 'a' } }), manifest({}), manifest({ powerdns: {} }, 'ConfigMap')];
  t.notThrows(() => refuseSettings(integrations, right));
});

test('settings with outputs are left to the walk, which has those', (t) => {
  const settings = z.strictObject({ url: z.url() });
  const references: Integration['references'] = ({ spec }) => outputReferences(spec.integrations?.powerdns);
  const integrations = [integration({ settings, references })];
  t.notThrows(() => refuseSettings(integrations, [manifest({ powerdns: { url: '${outputs::Web.url}' } })]));
  t.throws(() => refuseSettings(integrations, [manifest({ powerdns: { url: 'x' } })]), { code: 'E#2022' });
});
