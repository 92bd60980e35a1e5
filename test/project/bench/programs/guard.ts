import { emptyEntry } from '../../../../sdk/host/index.ts';
import {
  add,
  claimOf,
  createController,
  createProviderHost,
  systemClock,
  test,
  Workspace,
} from '../../../../sdk/index.ts';
import type { GuardParameters, Round } from '../benchmarks/guard.ts';
import { clientOf } from '../harness/connect.ts';
import { keyAt, readyStatus, workspaceAt } from '../harness/workload.ts';
import { answer, parameters, say } from './dialogue.ts';

// Rounds of guarded changes, and of bare status patches, on as many workspaces as are concurrent.
const { kubeconfigYaml, workspaces, changes } = parameters<GuardParameters>();
const client = await clientOf(kubeconfigYaml);
const claim = claimOf('bench');
const host = createProviderHost({ client, clock: systemClock, holder: 'bench', events: { event() {} } });

/** Repeatable change of one workspace. */
type Change = (attempt: number) => Promise<unknown>;

/** Guards a workspace under the sequencer's claim, as an integration does. The task itself does nothing. */
async function guardOn(index: number): Promise<Change> {
  const made = await client.create(Workspace, workspaceAt(index));
  const sameUid = test('/metadata/uid', made.metadata.uid);
  const note = emptyEntry(made, 'DNS', { holder: host.holder, nonce: 'bench', now: host.clock.now(), newest: 0 });
  const noted = [sameUid, add('/status', { guards: { DNS: note } })];
  await client.patch(Workspace, keyAt(index), { type: 'json', operations: noted }, { subresource: 'status' });
  const operations = [sameUid, add('/metadata/finalizers', [claim])];
  const workspace = await client.patch(Workspace, keyAt(index), { type: 'json', operations });
  const controller = createController(host, workspace, { type: 'DNS', claim, terminating: false });
  return (attempt) =>
    controller.guard('changing', async () => ({ status: 'Completed', reason: `change ${attempt} was made` }));
}

/** Patches a condition in a status; a guard makes two such patches. */
async function patchOn(index: number): Promise<Change> {
  const { metadata } = await client.create(Workspace, workspaceAt(index));
  const [condition] = readyStatus(1).conditions;
  const write = (value: object) => {
    const operations = [test('/metadata/uid', metadata.uid), add('/status', value)];
    return client.patch(Workspace, keyAt(index), { type: 'json', operations }, { subresource: 'status' });
  };
  return (attempt) => write({ conditions: [{ ...condition, reason: `change ${attempt} was made` }] });
}

async function roundOf(targets: readonly Change[]): Promise<Round> {
  const { user, system } = process.cpuUsage();
  const started = performance.now();
  const inTurn = async (change: Change) => {
    for (let attempt = 0; attempt < changes / targets.length; attempt++) await change(attempt);
  };
  await Promise.all(targets.map(inTurn));
  const used = process.cpuUsage({ user, system });
  return { wallMs: performance.now() - started, cpuMs: (used.user + used.system) / 1000 };
}

const indexes = Array.from({ length: workspaces }, (_, index) => index);
const targets = {
  guard: await Promise.all(indexes.map((index) => guardOn(2 * index))),
  patch: await Promise.all(indexes.map((index) => patchOn(2 * index + 1))),
};
say('ready');
await answer((question) => roundOf(targets[question as keyof typeof targets]));
await client.close();
