import test from 'ava';
import { workspaceSchema } from '../../../../../sdk/api/workspace-schema.ts';
import { newerFormat, newerText } from '../../../../../sdk/host/index.ts';
import { type BusyError, journalFormat } from '../../../../../sdk/index.ts';
import { createController } from '../../../../../sdk/provider/controller/create-controller.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { anEntry, aWorkspace } from '../../../a-workspace.ts';

test('an entry that names no format, this one or an older one can be read; a newer one cannot', (t) => {
  for (const entry of [undefined, {}, { format: journalFormat }, { format: 0 }]) t.is(newerFormat(entry), undefined);
  t.is(newerFormat({ format: journalFormat + 1 }), journalFormat + 1);
  t.regex(newerText(7), /^E#3020: its journal has format 7, and this release reads up to 1/);
});

test('the schema has a place for it', (t) => {
  const workspace = { spec: {}, status: { guards: { Boxes: anEntry({ format: 2 }) } } };
  t.deepEqual(workspaceSchema.parse(workspace), workspace);
});

test('no guard is run on what a newer release has written', async (t) => {
  const { host } = (await aTargetCluster()).actor([]);
  const workspace = aWorkspace({ guards: { Boxes: { format: 2 } }, finalizers: ['se.quencer.io/boxes'] });
  const controller = createController(host, workspace, {
    type: 'Boxes',
    claim: 'se.quencer.io/boxes',
    terminating: false,
  });
  let ran = false;
  const task = async () => {
    ran = true;
    return { status: 'Completed', reason: 'done' } as const;
  };
  await t.throwsAsync<BusyError>(controller.guard('making', task), { name: 'BusyError', message: /E#3020/ });
  t.false(ran);
});
