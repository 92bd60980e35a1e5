import { join } from 'node:path';
import test from 'ava';
import { conditionOf, type Workspace } from '../../../sdk/index.ts';
import { createScratch, startProcess } from '../../system/real/owned-process.ts';
import { startRealServer } from '../../system/real/server.ts';
import { until } from '../../system/real/until.ts';
import { root, sequencerArguments } from '../../system/stories/programs.ts';

const server = await startRealServer({ controllers: false });
test.after.always('kube-apiserver stops', () => server.close());

const path = '/apis/se.quencer.io/v1alpha1/namespaces/default/workspaces';

/** Resolves with the status code once the kind is served. */
const create = (name: string, template: object): Promise<number> =>
  until(
    async () => {
      const spec = { components: [{ name: 'web', template }] };
      const body = { apiVersion: 'se.quencer.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec };
      const { status } = await server.api.ask({ method: 'POST', path, body });
      return status === 404 ? undefined : status;
    },
    { message: (error) => `workspaces are not served within a minute (${error})` },
  );

// A process of its own: the stack of a worker thread is larger than that of a program.
test('a workspace of almost as many levels as a server stores does not stop the others', async (t) => {
  const scratch = createScratch('deep');
  const config = join(root, 'examples/sequencer.config.ts');
  const args = sequencerArguments('run', '--config', config, '--kubeconfig', server.kubeconfigPath);
  const sequencer = await startProcess({ name: 'sequencer', command: process.execPath, args, folder: scratch.folder });
  t.teardown(async () => {
    await sequencer.kill();
    scratch.remove();
  });
  const levels = 9_000;
  const deep = JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object;
  t.is(await create('deep', deep), 201);
  t.is(await create('fine', { containers: [{ name: 'web', image: 'web' }] }), 201);
  const reason = await until(
    async () => {
      const { body } = await server.api.ask({ path: `${path}/fine` });
      const condition = conditionOf(body as Workspace, 'Components');
      return condition.status === 'In Progress' ? condition.reason : undefined;
    },
    { deadline: 30_000, message: () => `not walked within half a minute: ${sequencer.lastWords()}` },
  );
  t.regex(reason, /^0 of 1 components ready/);
});
