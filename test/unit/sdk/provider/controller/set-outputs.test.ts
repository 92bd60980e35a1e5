import test from 'ava';
import { createDryRunController } from '../../../../../sdk/host/index.ts';
import type { Outputs } from '../../../../../sdk/index.ts';
import { createController } from '../../../../../sdk/provider/controller/create-controller.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';

const outputs = { host: { description: 'its host' }, password: { description: 'its password', secret: true } };
const scope = { type: 'Database', claim: 'se.quencer.io/pg', terminating: false, outputs };

async function aDatabase() {
  const stage = await aTargetCluster();
  const { host } = stage.actor([]);
  const workspace = await stage.create();
  return { stage, host, workspace, controller: createController(host, workspace, scope) };
}

test('outputs are set as told, changed, and removed; without a change nothing is sent', async (t) => {
  const { stage, controller } = await aDatabase();
  const password = { secretKeyRef: { name: 'shop-db', key: 'password' } };
  await controller.setOutputs({ host: 'a', password });
  const stored = { values: { host: 'a' }, secrets: { password: { name: 'shop-db', key: 'password' } } };
  t.deepEqual((await stage.read()).status?.outputs, { Database: stored });
  const { revision } = stage.cluster;
  await controller.setOutputs({ password, host: 'a' });
  t.is(stage.cluster.revision, revision);
  await controller.setOutputs({ host: 'b' });
  t.deepEqual((await stage.read()).status?.outputs, { Database: { values: { host: 'b' } } });
  await controller.setOutputs({});
  t.deepEqual((await stage.read()).status?.outputs, {});
});

test('two that set theirs at once lose nothing', async (t) => {
  const { stage, host, workspace, controller } = await aDatabase();
  const other = createController(host, workspace, { ...scope, type: 'Mail', claim: 'se.quencer.io/mail' });
  await Promise.all([controller.setOutputs({ host: 'a' }), other.setOutputs({ host: 'b' })]);
  t.deepEqual((await stage.read()).status?.outputs, {
    Database: { values: { host: 'a' } },
    Mail: { values: { host: 'b' } },
  });
});

test('what is not declared is refused with the integration and the name; so is a secret, and an output of what ends', async (t) => {
  const { stage, host, workspace, controller } = await aDatabase();
  host.secrets.add('hunter2-hunter2');
  const refused = async (values: Outputs, message: RegExp, by = controller) => {
    const error = await t.throwsAsync(by.setOutputs(values), { name: 'ContractError', message });
    t.notRegex(String(error?.message), /hunter2/);
  };
  await refused({ port: '1' }, /integration "pg" \(condition Database\): setOutputs: "port" is not declared/);
  await refused({ host: 'pg://hunter2-hunter2@h' }, /host holds a secret: keep it in a Secret/);
  await refused(
    { host: 'a' },
    /is terminated has no outputs/,
    createController(host, workspace, { ...scope, terminating: true }),
  );
  const dry = createDryRunController(host, workspace, scope).controller;
  await t.throwsAsync(dry.setOutputs({ port: '1' }), { name: 'ContractError' });
  await dry.setOutputs({ host: 'a' });
  t.is((await stage.read()).status?.outputs, undefined);
});

test('they are not changed past their declaration', async (t) => {
  const { controller } = await aDatabase();
  const recipe = (status: { outputs?: unknown }) => {
    status.outputs = { Database: { values: { port: '1' } } };
  };
  await t.throwsAsync(controller.update(recipe as never), {
    name: 'ContractError',
    message: /must not change status\.outputs/,
  });
});
