import type { Integration, ProviderController } from '../../../../sdk/index.ts';
import { type BoxId, type BoxResource, listed, type Tools, type Wanted, wantedOf } from '../a-box-plug-in.ts';
import type { Box } from '../a-box-shop.ts';
import type { Flaw } from '../flaw.ts';

type Connect = Parameters<Integration['connect']>[0];

const plain = { drift: undefined as never, sameName: undefined as never, secrets: [] };
const recorded = /likely mistake: terminate removes what was recorded, whatever the spec says by then/;

/** Makes the boxes of the spec in one guard; what there is by name stays. */
const makeBoxes = ({ ask }: Tools, controller: ProviderController, boxes: readonly Wanted[]): Promise<void> =>
  controller.guard(
    'making boxes',
    async ({ signal, checkpoint }) => {
      for (const box of boxes) {
        const answer = await ask('/boxes', { method: 'POST', body: box, signal, expected: 409 });
        await checkpoint({ id: ((await answer.json()) as Box).id });
      }
      return { status: 'Completed', reason: 'boxes are there' };
    },
    { op: 'create', identity: 'name' },
  );

/** Takes the boxes of these names away, and says that none is left. */
const planRemovals = (tools: Tools, controller: ProviderController, names: readonly string[]): Promise<void> =>
  controller.guard(
    'taking boxes away',
    async ({ signal }) => {
      for (const name of names)
        for (const { id } of await listed(tools, `name=${encodeURIComponent(name)}`, signal))
          await tools.ask(`/boxes/${id}`, { method: 'DELETE', signal, expected: 404 });
      return { status: 'Terminated', reason: 'no box is left', refs: [] };
    },
    { op: 'delete', identity: 'name' },
  );

const isCompleted = ({ condition }: ProviderController): boolean => condition.status === 'Completed';

/** Flaws of how a plug-in ends, and of what it leaves half done. */
export const flawsOfEnds: readonly Flaw[] = [
  {
    what: 'terminate removes what the spec names by then',
    found: 'emptied',
    subject: { ...plain, edited: undefined as never },
    says: [/^its spec was emptied, and it lives on: leaked: box 1 \(red a of 1\) is still there/, recorded],
    plugIn: (_, tools) => ({
      connect: ({ workspace, controller }: Connect) => ({
        reconcile: async () =>
          isCompleted(controller) ? undefined : makeBoxes(tools, controller, wantedOf(workspace.spec)),
        terminate: () => planRemovals(tools, controller, Object.keys(workspace.spec.integrations?.boxes ?? {})),
      }),
    }),
  },
  {
    what: 'terminate does nothing for a workspace that asks for nothing any more',
    found: 'emptied',
    subject: { ...plain, limits: { settle: 60_000 } },
    says: [/^its spec was emptied, and it lives on: the finalizer was never removed/, recorded],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }: Connect) => ({
        reconcile: () => controller.ensure(resource, wantedOf(workspace.spec)),
        terminate: async () =>
          workspace.spec.integrations?.boxes === undefined ? undefined : controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'terminate makes up the name of what it removes from the template that the spec has by then',
    found: 'emptied',
    subject: { ...plain, cannot: { unhandled: 'it is about a changed spec' } },
    says: [/^deleted right after a change of its spec: leaked: box 1 \(red a-1 of 1\)/, recorded],
    plugIn: (_, tools) => {
      const names = (spec: Connect['workspace']['spec']) =>
        Object.entries((spec.integrations?.boxes ?? {}) as Readonly<Record<string, Partial<Wanted>>>).map(
          ([name, { size = 1 }]) => `${name}-${size}`,
        );
      return {
        connect: ({ workspace: { spec }, controller }: Connect) => ({
          reconcile: async () => {
            const boxes = wantedOf(spec).map((one, index) => ({ ...one, name: names(spec)[index]! }));
            if (!isCompleted(controller)) await makeBoxes(tools, controller, boxes);
          },
          terminate: () => planRemovals(tools, controller, names(spec)),
        }),
      };
    },
  },
  {
    what: 'create says that it is not ready, and there is no observe',
    found: 'completes',
    subject: { drift: undefined as never },
    says: [
      /^integration "boxes" \(condition Boxes\): box: create: ready: false needs a function observe/,
      /likely mistake: .*box: create: ready: false needs a function observe, which tells when it is ready/,
    ],
    resource: (_, { create }) => ({
      observe: undefined,
      driftInterval: undefined,
      create: async (...args: Parameters<typeof create>) => ({ ...(await create(...args)), ready: false }),
    }),
  },
  {
    what: 'create makes a box and paints it by a second request, whose refusal it throws as DefiniteError',
    found: 'definite',
    identity: 'key',
    says: [
      /^call 2 \(PATCH \/boxes\/1\) was refused, and the workspace deleted at once: box 1 \(grey a of 1\) leaked/,
      /likely mistake: create threw DefiniteError though POST \/boxes had made something: /,
    ],
    resource: ({ ask }) => ({
      async create({ colour, ...box }: Wanted, { owner, key, signal }: Parameters<BoxResource['create']>[1]) {
        const body = { ...box, colour: 'grey', label: owner.mark };
        const { id } = (await (await ask('/boxes', { method: 'POST', body, key, signal })).json()) as BoxId;
        await ask(`/boxes/${id}`, { method: 'PATCH', body: { colour }, signal });
        return { id: { id } };
      },
    }),
  },
];
