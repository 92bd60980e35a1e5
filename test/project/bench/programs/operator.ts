import {
  addFinalizer,
  ConflictError,
  createInformerController,
  done,
  hasFinalizer,
  InvalidError,
  type Reconciler,
  Workspace,
} from '../../../../sdk/index.ts';
import { clientOf } from '../harness/connect.ts';
import type { OperatorParameters } from '../harness/operators.ts';
import { finalizer, readyStatus } from '../harness/workload.ts';
import { parameters } from './dialogue.ts';
import { createTally } from './tally.ts';

// The operator as written with this SDK: a finalizer, then, once that is observed, a status.
const { kubeconfigYaml, objects, workers } = parameters<OperatorParameters>();
const tally = createTally(objects);
const client = await clientOf(kubeconfigYaml);

const isConflict = (error: unknown): boolean => error instanceof ConflictError || error instanceof InvalidError;

const reconciler: Reconciler<Workspace> = async ({ key, object, signal }) => {
  if (object === undefined) return done;
  const { generation = 0 } = object.metadata;
  const { patch } = controller.client;
  if (!hasFinalizer(object, finalizer)) {
    const change = { type: 'json', operations: addFinalizer(object, finalizer) } as const;
    await tally.write(patch(Workspace, key, change, { signal, answer: 'metadata' }), isConflict);
  } else if (object.status?.observedGeneration !== generation) {
    const change = { type: 'merge', value: { status: readyStatus(generation) } } as const;
    const options = { signal, answer: 'metadata', subresource: 'status' } as const;
    await tally.write(patch(Workspace, key, change, options), isConflict);
    tally.ready();
  }
  return done;
};

const controller = createInformerController({ client, kind: Workspace, workers, reconciler });
const stop = new AbortController();
const running = controller.run(stop.signal);
await controller.synced;
await tally.untilTold();
stop.abort();
await running;
await client.close();
