import test from 'ava';
import { claimOf, defineIntegration, type Integration } from '../../../../../sdk/index.ts';
import {
  candidatesOf,
  endedOf,
  integrationsToInitialize,
  isCompletedForSpec,
  isRequestedOrError,
  requestedOf,
} from '../../../../../sequencer/engine/plan/requested-integrations.ts';
import { aCondition, anEntry, aWorkspace, type WorkspaceFixture } from '../../../a-workspace.ts';

const integration = (name: string, handles: Integration['handles'] = () => true): Integration =>
  defineIntegration({
    name,
    condition: 'DNS',
    handles,
    connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
  });
const fails = integration('fails', () => {
  throw new Error('no');
});
const [bind, cloud] = [integration('bind'), integration('cloud', () => false)];
const namesOf = (all: readonly Integration[]) => all.map(({ name }) => name);

test('one whose handles fails is of concern, but not handled', (t) => {
  const all = [bind, cloud, fails];
  t.deepEqual(namesOf(requestedOf(aWorkspace(), all)), ['bind']);
  t.deepEqual(namesOf(candidatesOf(aWorkspace(), all)), ['bind', 'fails']);
  t.true(isRequestedOrError(aWorkspace(), fails) instanceof Error);
});

test('a condition has arrived for the spec that it has seen', (t) => {
  const seen = (generation: number) =>
    isCompletedForSpec(
      aWorkspace({ generation: 2, status: { conditions: [aCondition('DNS', 'Completed', generation)] } }),
      'DNS',
    );
  t.true(seen(2));
  t.false(seen(1));
});

test('untouched is a condition without entry, claim and mirror, or with what another has left', (t) => {
  const untouched = (fixture: WorkspaceFixture) =>
    integrationsToInitialize(aWorkspace(fixture), [bind, cloud]).length === 1;
  t.true(untouched({}));
  t.true(untouched({ guards: { DNS: { claim: claimOf('cloud'), phase: 'gone' } } }));
  t.false(untouched({ guards: { DNS: { claim: claimOf('bind'), phase: 'gone' } } }));
  t.false(untouched({ guards: { DNS: anEntry({ claim: claimOf('cloud') }) } }));
  t.false(untouched({ finalizers: [claimOf('cloud')] }));
  t.false(untouched({ annotations: { 'external.se.quencer.io/DNS': '{}' } }));
});

test('a condition that tells the end of what was before begins anew', (t) => {
  const ended = (fixture: WorkspaceFixture) =>
    endedOf(aWorkspace({ conditions: { DNS: 'Terminated' }, ...fixture }), [bind, cloud]).length === 1;
  t.true(ended({}));
  t.false(ended({ finalizers: [claimOf('bind')] }));
  t.false(ended({ conditions: { DNS: 'Completed' } }));
});
