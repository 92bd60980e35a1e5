import test from 'ava';
import { type ComponentsOptions, checkedComponentsOptions } from '../../../../integrations/components/options.ts';
import { aWorkspace } from '../../a-workspace.ts';

for (const [options, message] of [
  [{ workload: 'Job' }, /workload must be one of Pod, Deployment, not "Job"/],
  [{ restartOnConfig: 'yes' }, /restartOnConfig must be one of true, false, not "yes"/],
  [{ imagePullSecrets: 'registry' }, /imagePullSecrets must be a list of names/],
  [{ workloads: 'Pod' }, /workloads/],
] as const)
  test(`${JSON.stringify(options)} is refused`, (t) => {
    t.throws(() => checkedComponentsOptions(options as unknown as ComponentsOptions), {
      instanceOf: TypeError,
      message,
    });
  });

test('Deployments are read only where the option names a workload', (t) => {
  t.false(checkedComponentsOptions({}).ownsDeployments);
  t.true(checkedComponentsOptions({ workload: 'Pod' }).ownsDeployments);
  t.true(checkedComponentsOptions({ workload: 'Deployment' }).ownsDeployments);
});

test('the rules of a workspace have the defaults', (t) => {
  t.deepEqual(checkedComponentsOptions({}).rulesFor(aWorkspace()), {
    workload: 'Pod',
    imagePullSecrets: [],
    podSecurity: 'restricted',
    serviceAccounts: ['default'],
  });
});
