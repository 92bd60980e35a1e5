import test from 'ava';
import { gitHub } from '../../../../integrations/github/index.ts';
import { previews } from '../../../../integrations/previews/index.ts';
import { account } from './a-preview-world.ts';

test('its runnable names its rights, and its secrets, for the operator', (t) => {
  const { token, secret } = account;
  const { runnable } = previews({
    host: gitHub({ token, secret }),
    repositories: ['acme/shop'],
    template: { spec: {} },
  });
  t.deepEqual(runnable.secrets, [token, secret]);
  t.deepEqual(
    runnable.permissions.map(({ resources, verbs }) => `${resources} ${verbs}`),
    ['workspaces list,create,patch,delete', 'configmaps get,create,update'],
  );
});
