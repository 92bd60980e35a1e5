/** Plug-ins with mistakes of beginners: units of times, secrets in errors, short marks, and pages of lists. */

import { createHash } from 'node:crypto';
import { errorOfResponse, type Owner } from '../../../../../sdk/index.ts';
import { httpFailures } from '../../../../compliance/index.ts';
import { type BoxId, type BoxResource, listed, type Tools, token, type Wanted, wantedOf } from '../../a-box-plug-in.ts';
import type { Flaw } from '../../flaw.ts';

type Look = { readonly signal: AbortSignal };
type Update = NonNullable<BoxResource['update']>;

const inSecret = /likely mistake: ids, reasons, names, messages and logs are read by many/;
const inWorkspace = /^a secret appears as it is in what is written of the workspace/;

/** Returns the function with the token in the messages of its errors. */
const naming =
  <Args extends readonly unknown[], T>(act: (...args: Args) => T) =>
  async (...args: Args): Promise<Awaited<T>> => {
    try {
      return await act(...args);
    } catch (error) {
      if (error instanceof Error) error.message += ` (as ${token})`;
      throw error;
    }
  };

/** Functions of a resource whose mark is the beginning of a hash. */
const markedByHash =
  (length: number) =>
  (tools: Tools, { create }: BoxResource) => {
    const hashOf = ({ mark }: Pick<Owner, 'mark'>) => createHash('sha256').update(mark).digest('hex').slice(0, length);
    return {
      create: (wanted: Wanted, context: Parameters<typeof create>[1]) =>
        create(wanted, { ...context, owner: { ...context.owner, mark: hashOf(context.owner) } }),
      async replaceMark({ id }: BoxId, { owner, signal }: Look & { readonly owner: Owner }) {
        await tools.ask(`/boxes/${id}`, { method: 'PATCH', body: { label: hashOf(owner) }, signal });
      },
      async find(owner: Owner, { signal }: Look) {
        const [box] = await listed(tools, `label=${hashOf(owner)}`, signal);
        return box && { id: box.id };
      },
    };
  };

/** Functions of a resource without a flaw, whose mark is a hash of 64 bits. */
export const markedByLongHash = markedByHash(16);

/** Flaws that show where a change or a deletion is refused, and in the units of times. */
export const flawsOfBeginners: readonly Flaw[] = [
  {
    what: 'requeueAfter is in seconds',
    found: 'once',
    says: [/^reconcile answers requeueAfter 30 ms, 20 times/, /likely mistake: .*it is in ms, not in seconds/],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }) => ({
        async reconcile() {
          await controller.ensure(resource, wantedOf(workspace.spec));
          return { requeueAfter: 30 };
        },
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'the error of a refused update has the token in it',
    found: 'secrets',
    says: [/^a secret appears as it is in an error it throws: .*PATCH/, inSecret],
    resource: (_, { update }) => ({ update: naming(update as Update) }),
  },
  {
    what: 'the error of a refused deletion has the token in it',
    found: 'secrets',
    says: [inWorkspace, inSecret],
    resource: (_, { delete: remove }) => ({ delete: naming(remove) }),
  },
  {
    what: 'the error of a refusal has its body in it, which repeats the token',
    found: 'secrets',
    says: [inWorkspace, inSecret],
    subject: {
      failures: { ...httpFailures, definite: () => Response.json({ error: `${token} may not` }, { status: 403 }) },
    },
    tools: (right) => ({
      ...right,
      async ask(path, { expected, ...ask } = {}) {
        const answer = await right.send(path, ask);
        if (answer.ok || answer.status === expected) return answer;
        throw errorOfResponse(answer, `HTTP ${answer.status}: ${await answer.text()}`, right.clock.now());
      },
    }),
  },
  {
    what: 'the mark is a hash of eight characters',
    found: 'find',
    identity: 'tag',
    says: [
      /^create marks an object by [\da-f]{8}, [\da-f]{8}, .* for different owners: 32 bits/,
      /likely mistake: the mark is a hash that is cut too short/,
    ],
    resource: markedByHash(8),
  },
];
