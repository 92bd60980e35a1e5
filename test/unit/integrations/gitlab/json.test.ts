import test from 'ava';
import fc from 'fast-check';
import { hookedOf, isWriter, mergeRequestOf, noteOf, statusOfCommit } from '../../../../integrations/gitlab/json.ts';

const mergeRequest = {
  ...{ iid: 1, state: 'opened', sha: 'a'.repeat(40), source_branch: 'b', updated_at: '2026-01-01T00:00:00Z' },
  ...{ source_project_id: 5, target_project_id: 5, labels: ['x', 7] },
};

test('a merge request is read as far as it is one', (t) => {
  t.like(mergeRequestOf(mergeRequest), { number: 1, isOpen: true, isFork: false, labels: ['x'] });
  for (const source of [null, undefined, 6, '5'])
    t.true(mergeRequestOf({ ...mergeRequest, source_project_id: source })?.isFork);
  t.false(mergeRequestOf({ ...mergeRequest, state: 'locked' })?.isOpen);
  for (const strange of [{ iid: '1' }, { iid: 0 }, { sha: '$(x)' }, { sha: null }, { updated_at: 'x' }])
    t.is(mergeRequestOf({ ...mergeRequest, ...strange }), undefined);
});

test('a status whose word is not known is a failure', (t) => {
  const read = (status: string) => statusOfCommit({ id: 1, name: 'a', status })?.shown.state;
  t.deepEqual(['running', 'success', 'canceled', 'constructor'].map(read), [
    'pending',
    'success',
    'failure',
    'failure',
  ]);
});

test('a membership that has expired, or waits for approval, gives no right to write', (t) => {
  const now = Date.UTC(2026, 5, 1);
  const member = { access_level: 30, state: 'active', expires_at: null };
  t.true(isWriter(member, now));
  t.true(isWriter({ ...member, expires_at: '2026-06-02' }, now));
  for (const other of [
    { access_level: 20 },
    { access_level: '40' },
    { state: 'awaiting' },
    { expires_at: '2026-05-01' },
    { expires_at: 'x' },
  ])
    t.false(isWriter({ ...member, ...other }, now));
});

test('a delivery is about a merge request, or about nothing', (t) => {
  const project = { path_with_namespace: 'Acme/Shop' };
  const found = { repository: 'acme/shop', number: 3 };
  t.deepEqual(hookedOf({ object_kind: 'merge_request', project, object_attributes: { iid: 3 } }), found);
  t.deepEqual(
    hookedOf({ object_kind: 'note', project, merge_request: { iid: 3 }, object_attributes: { iid: 9 } }),
    found,
  );
  for (const other of [
    { object_kind: 'note', project, issue: { iid: 3 } },
    { object_kind: 'push', project, object_attributes: { iid: 3 } },
    { object_kind: 'merge_request', project: { path_with_namespace: 'a//b' }, object_attributes: { iid: 3 } },
  ])
    t.is(hookedOf(other), undefined);
});

test('no value makes reading fail', (t) => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      for (const read of [mergeRequestOf, noteOf, statusOfCommit, hookedOf]) read(value);
      isWriter(value, 0);
    }),
  );
  t.pass();
});
