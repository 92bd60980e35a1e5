import test from 'ava';
import { claimOf, conditionOf, Workspace, workspaceFromSchema } from '../../../../sdk/api/workspace.ts';
import { aWorkspace } from '../../a-workspace.ts';

test('a condition that is not there yet counts as Initialized', (t) => {
  t.like(conditionOf(aWorkspace(), 'DNS'), { type: 'DNS', status: 'Initialized' });
  t.is(conditionOf(aWorkspace({ conditions: { DNS: 'Completed' } }), 'DNS').status, 'Completed');
});

test('an integration claims under our group', (t) => t.is(claimOf('acme-dns'), 'se.quencer.io/acme-dns'));

test('the kind is served as se.quencer.io/v1alpha1 with what kubectl shows', async (t) => {
  const { spec } = (await Workspace.crd?.())!;
  t.like(spec, {
    group: 'se.quencer.io',
    scope: 'Namespaced',
    names: { plural: 'workspaces', kind: 'Workspace', shortNames: ['wsp'] },
  });
  t.deepEqual(
    spec.versions[0]?.additionalPrinterColumns?.map(({ name, jsonPath }) => [name, jsonPath]),
    [
      ['Phase', '.status.phase'],
      ['Waits For', '.status.waitsFor'],
      ['Host', '.status.host'],
      ['Unknown', '.status.conditions[?(@.status=="Unknown")].reason'],
      ['Error', '.status.conditions[?(@.status=="Error")].reason'],
      ['Waiting', '.status.conditions[?(@.status=="Waiting")].reason'],
      ['In Progress', '.status.conditions[?(@.status=="In Progress")].reason'],
      ['Class', '.spec.className'],
      ['Age', '.metadata.creationTimestamp'],
    ],
  );
});

test('the definition that is carried along is what the schema says; if not: npm run generate', async (t) => {
  t.deepEqual(await Workspace.crd?.(), JSON.parse(JSON.stringify(await workspaceFromSchema.crd?.())));
});
