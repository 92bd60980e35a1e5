/** Reconcilers that make a model's writes without the model. */

import {
  add,
  addFinalizer,
  ConfigMap,
  done,
  hasFinalizer,
  type JsonPatchOperation,
  type Reconciler,
  type StandardCondition,
  test,
  timestamp,
} from '../../../../sdk/index.ts';
import { childOf, name, type Seen, type Site } from './site.ts';

/** Writes of a model for one object, in order, with the model's own choices. */
export interface Written {
  readonly writes: readonly WriteName[];
  /** Annotations of the child. @default none */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Conditions of the status. @default none */
  readonly conditions?: readonly Pick<StandardCondition, 'type' | 'reason' | 'message'>[];
}

/** One write of a plain reconciler: whether it is still needed, and the write; resolves with the object if that is needed afterwards. */
interface Write {
  isDue(request: Seen): boolean;
  write(request: Seen, written: Written): Promise<Site | void>;
  /** The pass ends after it, as in the models. */
  readonly ends?: boolean;
}

const patch = (
  { client, kind, key, signal }: Seen,
  operations: readonly JsonPatchOperation[],
  options: { readonly subresource?: 'status'; readonly answer?: 'metadata' } = { answer: 'metadata' },
): Promise<Site> => client.patch(kind, key, { type: 'json', operations }, { signal, ...options });

const note = 'se.quencer.io/outside';
const begun = `${name}-wip`;

const writes = {
  finalizer: {
    isDue: ({ object }) => !hasFinalizer(object, name),
    async write(request) {
      await patch(request, addFinalizer(request.object, name));
    },
    ends: true,
  },
  child: {
    isDue: ({ stored, key }) => stored(ConfigMap).get(key) === undefined,
    async write(request, { annotations }) {
      await request.client.create(ConfigMap, childOf(request, annotations), { signal: request.signal });
    },
  },
  note: {
    isDue: ({ object }) => object.metadata.annotations?.[note] === undefined,
    async write({ client, kind, key, signal, object }) {
      const value = { metadata: { uid: object.metadata.uid, annotations: { [note]: '{"text":1}' } } };
      await client.patch(kind, key, { type: 'merge', value }, { signal, answer: 'metadata' });
    },
  },
  claim: {
    isDue: ({ object }) => !hasFinalizer(object, begun) && !hasFinalizer(object, name),
    write: (request) => patch(request, addFinalizer(request.object, begun), {}),
  },
  settled: {
    isDue: ({ object }) => !hasFinalizer(object, name),
    async write(request) {
      const { uid, finalizers = [] } = request.object.metadata;
      await patch(request, [
        test('/metadata/uid', uid),
        test('/metadata/deletionTimestamp', null),
        test('/metadata/finalizers', finalizers),
        add('/metadata/finalizers', [...finalizers.filter((finalizer) => finalizer !== begun), name]),
      ]);
    },
  },
  status: {
    isDue: ({ object }) => object.status?.conditions === undefined,
    async write(request, { conditions = [] }) {
      const { generation: observedGeneration, uid } = request.object.metadata;
      const lastTransitionTime = timestamp(request.clock.now());
      const all = conditions.map((one) => ({ ...one, status: 'True', observedGeneration, lastTransitionTime }));
      const operations = [
        test('/metadata/uid', uid),
        test('/status', null),
        add('/status', {}),
        add('/status/conditions', all),
      ];
      await patch(request, operations, { subresource: 'status', answer: 'metadata' });
    },
  },
} satisfies Readonly<Record<string, Write>>;

/** Names of the writes. */
export type WriteName = keyof typeof writes;

/** A reconciler that makes these writes, and nothing else, as an author without a model would. */
export const plain =
  (written: Written): Reconciler<Site> =>
  async (request) => {
    const { object } = request;
    if (object === undefined) return done;
    let seen: Seen = { ...request, object };
    for (const one of written.writes.map((each): Write => writes[each])) {
      if (!one.isDue(seen)) continue;
      const now = await one.write(seen, written);
      if (one.ends) return { requeueAfter: 0 };
      if (now !== undefined) seen = { ...seen, object: now };
    }
    return done;
  };
