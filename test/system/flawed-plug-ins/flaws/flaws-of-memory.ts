import { DefiniteError, type Integration, Workspace as WorkspaceKind } from '../../../../sdk/index.ts';
import { type BoxId, type BoxResource, listed, type Wanted, wantedOf } from '../a-box-plug-in.ts';
import type { Flaw } from '../flaw.ts';

const ensuring = (
  resource: BoxResource,
  wanted: (spec: Parameters<typeof wantedOf>[0]) => readonly Wanted[],
): Partial<Integration> => ({
  connect: ({ workspace, controller }) => ({
    reconcile: () => controller.ensure(resource, wanted(workspace.spec)),
    terminate: () => controller.destroy(resource),
  }),
});

/** State that lives as long as the process. */
const remembered: { [uid: string]: number } = {};

/** Flaws with time, randomness, names and in-process state. */
export const flawsOfMemory: readonly Flaw[] = [
  {
    what: 'there is an observe, and no time at which it is asked',
    found: 'covers',
    identity: 'key',
    says: [
      /the sequencer never called observe/,
      /likely mistake: observe: nothing was ever looked at: give the resource a driftInterval/,
    ],
    subject: { drift: undefined as never },
    resource: () => ({ driftInterval: undefined }),
  },
  {
    what: 'what is wanted has the time in it',
    found: 'once',
    says: [
      /^walked again, it writes though nothing has changed/,
      /likely mistake: what is wanted, or a name, differs from walk to walk \(a clock/,
    ],
    subject: { drift: undefined as never },
    plugIn: (resource, { clock }) =>
      ensuring(resource, (spec) => wantedOf(spec).map((one) => ({ ...one, at: clock.now() }))),
  },
  {
    what: 'names differ from walk to walk',
    found: 'once',
    identity: 'tag',
    says: [
      /^walked again, (it writes though nothing has changed|the third party has)/,
      /likely mistake: what is wanted, or a name, differs from walk to walk/,
    ],
    subject: { drift: undefined as never },
    plugIn(resource) {
      let walks = 0;
      return ensuring(resource, (spec) => {
        walks += 1;
        return wantedOf(spec).map((one) => ({ ...one, name: `${one.name}-${walks > 1 ? 2 : 1}` }));
      });
    },
  },
  {
    what: 'what is wanted has a date in it',
    found: 'completes',
    says: [
      /^it never was Completed: .*wanted\[0\] must be plain JSON/,
      /likely mistake: .*repeated by another process from there/,
    ],
    plugIn: (resource) => ensuring(resource, (spec) => wantedOf(spec).map((one) => ({ ...one, since: new Date(0) }))),
  },
  {
    what: 'ids are remembered in the module',
    found: 'memory',
    says: [
      /^after the same was done at another third party, by the same process: /,
      /likely mistake: something is kept in a module/,
    ],
    resource: (_, { create, delete: remove }) => ({
      async create(wanted: Wanted, context: Parameters<typeof create>[1]) {
        const made = await create(wanted, context);
        remembered[context.owner.mark] = made.id.id;
        return made;
      },
      delete: (id: BoxId, context: Parameters<typeof remove>[1]) =>
        remove({ id: remembered[context.owner.mark] ?? id.id }, context),
    }),
  },
  {
    what: 'ids are remembered in the plug-in, and found by that alone',
    found: 'crash',
    identity: 'tag',
    says: [
      /^crashed .*the third party has box 1 .*, box 2|leaked/m,
      /likely mistake: (a creation was sent again|what an attempt made before)/,
    ],
    resource(_, { create }) {
      const made = new Map<string, BoxId>();
      return {
        async create(wanted: Wanted, context: Parameters<typeof create>[1]) {
          const { id } = await create(wanted, context);
          made.set(context.owner.mark, id);
          return { id };
        },
        find: async ({ mark }: { mark: string }) => made.get(mark),
      };
    },
  },
  {
    what: 'boxes are named by the workspace, which another namespace has too',
    found: 'contended',
    subject: { sameName: 'separate', drift: undefined as never },
    says: [
      /^two workspaces, subject and its namesake, each of which is Completed where it is alone: .*Error/,
      /likely mistake: each workspace gets its own .* has the namespace and the name of the workspace in it, .*or its uid/,
    ],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }) => ({
        reconcile: () =>
          controller.ensure(
            resource,
            wantedOf(workspace.spec).map((one) => ({ ...one, name: workspace.metadata.name })),
          ),
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'it calls the shop by a timer of its own',
    found: 'paused',
    says: [
      /^edited while the workspace is paused, the third party has box 1 \(blue a of 2\)/,
      /likely mistake: the third party is called past the guard: by a timer/,
    ],
    subject: { drift: undefined as never },
    plugIn: (resource, tools, { clock }) => {
      const push = async (uid: string, read: () => Promise<readonly Wanted[]>): Promise<void> => {
        await clock.sleep(1_000);
        const [wanted] = await read();
        const [box] = await listed(tools, `prefix=${uid}`);
        if (box !== undefined) await tools.ask(`/boxes/${box.id}`, { method: 'PATCH', body: { ...wanted } });
        await push(uid, read);
      };
      return {
        connect: ({ workspace, controller }) => {
          const { namespace, name, uid = '' } = workspace.metadata;
          const read = async () =>
            wantedOf((await controller.get(WorkspaceKind, { namespace: namespace!, name })).spec);
          void push(uid, read).catch((error: unknown) => new DefiniteError(String(error)));
          return {
            reconcile: () => controller.ensure(resource, wantedOf(workspace.spec)),
            terminate: () => controller.destroy(resource),
          };
        },
      };
    },
  },
];
