import test from 'ava';
import { admitWorkspace } from '../../../../sequencer/admission/admit-workspace.ts';
import { aWorkspace } from '../../a-workspace.ts';
import { someIntegrations } from './some-integrations.ts';

const of = (integrations: Readonly<Record<string, unknown>>, more = {}) =>
  aWorkspace({ spec: { integrations }, ...more });
const admit = (workspace: ReturnType<typeof of>, old?: ReturnType<typeof of>) =>
  admitWorkspace(workspace, { old }, someIntegrations);
const wrong = { mail: { from: 1 } };

test('a new mistake refuses; one that was there before, and a note, are warnings', (t) => {
  t.like(admit(of(wrong)), { errors: [{ field: 'spec.integrations.mail.from' }], warnings: [] });
  const changed = admit(of({ ...wrong, databse: {}, uptime: {} }), of(wrong));
  t.deepEqual(
    changed?.errors?.map(({ field }) => field),
    ['spec.integrations.databse'],
  );
  t.deepEqual(changed?.warnings, [
    'spec.integrations.mail.from: Invalid input: expected string, received number',
    'spec.integrations.uptime: no registered integration reads it',
  ]);
  t.deepEqual(admit(of({ mail: { from: 'a' } }), of(wrong)), { errors: [], warnings: [] });
});

test('what is being deleted, and changes of anything but the spec, are let through', (t) => {
  t.is(admit(of(wrong, { deleting: true })), undefined);
  t.is(admit(of({ ...wrong, databse: {} }, { deleting: true }), of(wrong)), undefined);
  t.is(admit(of(wrong, { finalizers: [] }), of(wrong)), undefined);
});
