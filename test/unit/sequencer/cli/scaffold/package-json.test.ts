import test from 'ava';
import { packageJsonOf } from '../../../../../sequencer/cli/scaffold/package-json.ts';

const own = {
  name: 'workspace-sequencer',
  version: '1.2.3',
  engines: { node: '>=22' },
  dependencies: { zod: '^4', yaml: '^2' },
  devDependencies: { typescript: '^7', '@types/node': '^24', ava: '^8' },
};

test('a project depends on this release, and on what its files import', (t) => {
  const integration = packageJsonOf({ what: 'integration', name: 'acme-dns', identity: 'tag' }, 'acme-dns', own);
  t.deepEqual(JSON.parse(integration), {
    name: 'acme-dns',
    private: true,
    type: 'module',
    engines: { node: '>=22' },
    scripts: { start: 'sequencer dev workspace.yaml', test: 'node --test "**/*.test.ts"', check: 'tsc' },
    dependencies: { 'workspace-sequencer': '^1.2.3', zod: '^4' },
    devDependencies: { typescript: '^7', '@types/node': '^24' },
  });
  const controller = { what: 'controller', kind: 'Website', group: 'example.com', model: 'crud' } as const;
  t.like(JSON.parse(packageJsonOf(controller, 'website', own)), {
    scripts: { start: 'node demo.ts', operator: 'node operator.ts' },
    dependencies: { 'workspace-sequencer': '^1.2.3', zod: '^4' },
  });
});
