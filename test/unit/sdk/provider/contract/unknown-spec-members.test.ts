import test from 'ava';
import * as z from 'zod';
import { defineIntegration, type Integration } from '../../../../../sdk/index.ts';
import { unknownSpecMemberTexts } from '../../../../../sdk/provider/contract/unknown-spec-members.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const integration = (name: string, handles: Integration['handles'] = () => false): Integration =>
  defineIntegration({
    name,
    condition: name,
    handles,
    connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
  });
const unhandled = (members: object, ...integrations: readonly Integration[]): readonly string[] =>
  unknownSpecMemberTexts(aWorkspace({ spec: { integrations: { ...members } } }), integrations);

test('a member that no integration looks for is reported, with the one that was meant', (t) => {
  const dns = integration('dns', ({ spec }) => spec.integrations?.powerdns !== undefined);
  t.deepEqual(unhandled({ powerDNS: {}, powerdns: {}, uptime: {} }, dns), [
    'spec.integrations.powerDNS: no registered integration reads it; did you mean powerdns?',
    'spec.integrations.uptime: no registered integration reads it',
  ]);
  t.deepEqual(unhandled({}, dns), []);
  t.deepEqual(unknownSpecMemberTexts(aWorkspace({ spec: {} }), [dns]), []);
});

test('an integration looks for its settings, and for what its handles reads by any means, even when that throws', (t) => {
  const looking: readonly Integration['handles'][] = [
    ({ spec }) => 'mail' in (spec.integrations ?? {}),
    ({ spec }) => Object.keys(spec.integrations ?? {}).includes('mail'),
    ({ spec }) => (spec.integrations as { mail: { on: boolean } }).mail.on,
    ({ spec: { integrations: { mail } = {} } }) => mail !== undefined,
  ];
  for (const handles of looking) t.deepEqual(unhandled({ mail: {} }, integration('other', handles)), []);
  t.deepEqual(unhandled({ mail: {} }, { ...integration('mail'), settings: z.strictObject({}) }), []);
});

test('a handles that answers a promise leaves no rejection unhandled, which would end the process', (t) => {
  let isHandled = false;
  const answer = Promise.reject(new Error('async handles'));
  const handled = answer.catch(() => undefined);
  const noted = () => {
    isHandled = true;
    return handled;
  };
  answer.catch = noted as typeof answer.catch;
  unhandled({ mail: {} }, integration('other', (() => answer) as unknown as Integration['handles']));
  t.true(isHandled);
});

test('a long member is cut, and compared with nothing', (t) => {
  const [note = ''] = unhandled({ ['x'.repeat(100_000)]: 1 }, integration('dns'));
  t.is(note.length, 'spec.integrations.: no registered integration reads it'.length + 64);
});
