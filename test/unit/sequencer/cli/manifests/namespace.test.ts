import test from 'ava';
import { namespaceObjects } from '../../../../../sequencer/cli/manifests/namespace.ts';

test('a namespace that is not the operator’s alone is not an object of it: neither labelled nor deleted with it', (t) => {
  const named = (options: object) =>
    namespaceObjects({ operatorNamespace: 'ops', ...options }).map(({ metadata }) => metadata.name);
  t.deepEqual(named({ namespace: 'team-a' }), ['ops']);
  for (const operatorNamespace of ['default', 'kube-system', 'team-a'])
    t.deepEqual(named({ operatorNamespace, namespace: 'team-a' }), [], operatorNamespace);
  t.deepEqual(named({ operatorNamespace: 'default-ops' }), ['default-ops']);
  t.deepEqual(named({ existingNamespace: true }), []);
});
