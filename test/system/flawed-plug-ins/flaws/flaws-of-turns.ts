import type { Integration } from '../../../../sdk/index.ts';
import { type Wanted, wantedOf } from '../a-box-plug-in.ts';
import type { Flaw } from '../flaw.ts';

type Connect = Parameters<Integration['connect']>[0];

/** Flaws of authors who are new to it, in `connect`, `reconcile` and what they share. */
export const flawsOfTurns: readonly Flaw[] = [
  {
    what: 'reconcile sorts the spec in place',
    found: 'completes',
    says: [
      /Error: Cannot add property note/,
      /likely mistake: reconcile threw .*: what a function is handed is frozen, since others use it too: copy it first/,
    ],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }: Connect) => ({
        reconcile: async () => {
          const boxes = workspace.spec.integrations!.boxes as Record<string, { size: number; note?: string }>;
          for (const box of Object.values(boxes)) box.note ??= '';
          return controller.ensure(resource, wantedOf(workspace.spec));
        },
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'connect asks the third party',
    found: 'completes',
    says: [
      /^connect sends GET \/boxes: /,
      /likely mistake: connect sends GET \/boxes.*: it is called for each walk, .*; create clients outside of it/,
    ],
    plugIn: (resource, tools) => ({
      async connect({ workspace, controller }: Connect) {
        await tools.ask('/boxes', {});
        return {
          reconcile: () => controller.ensure(resource, wantedOf(workspace.spec)),
          terminate: () => controller.destroy(resource),
        };
      },
    }),
  },
  {
    what: 'what is there is compared by identity',
    found: 'once',
    says: [
      /^walked again, it writes though nothing has changed: the intent, the mirror of the intent, the mirror of ids, the outcome/,
      /likely mistake: what is wanted, or a name, differs .*, or is compared by identity \(===\) with what the journal has/,
    ],
    resource: () => ({}),
    plugIn: (resource, tools) => ({
      connect: ({ workspace, controller }: Connect) => ({
        async reconcile() {
          const [wanted] = wantedOf(workspace.spec);
          const [ref] = controller.refs as readonly { id: number; wanted: Wanted }[];
          if (ref?.wanted === wanted) return controller.updateCondition('Completed', 'as wanted');
          await controller.guard(
            'making the box',
            async ({ signal, key }) => {
              const owner = { mark: workspace.metadata.uid } as never;
              const id =
                ref === undefined ? (await resource.create(wanted!, { owner, key, signal })).id : { id: ref.id };
              if (ref !== undefined)
                await tools.ask(`/boxes/${ref.id}`, {
                  method: 'PATCH',
                  body: { size: wanted!.size, colour: wanted!.colour },
                  signal,
                });
              return { status: 'Completed', reason: 'made', refs: [{ ...id, wanted }] };
            },
            { op: 'create', identity: 'name' },
          );
        },
        async terminate() {
          await controller.guard(
            'deleting',
            async ({ signal, refs }) => {
              for (const ref of refs) await resource.delete({ id: Number(ref.id) }, { signal, owner: {} as never });
              return { status: 'Terminated', reason: 'gone', refs: [] };
            },
            { op: 'delete', identity: 'name' },
          );
        },
      }),
    }),
  },
  {
    what: 'a lock is not released where a request throws',
    found: 'definite',
    says: [
      /^call 1 \(POST \/boxes\) was refused: it never came to rest: Locked/,
      /likely mistake: create has not settled, and no call of it is under way: .*a lock is released in finally/,
    ],
    tools(right) {
      let last: Promise<unknown> = Promise.resolve();
      return {
        ...right,
        async ask(path, ask) {
          const turn = Promise.withResolvers<void>();
          const before = last;
          last = turn.promise;
          await before;
          const answer = await right.ask(path, ask);
          turn.resolve();
          return answer;
        },
      };
    },
  },
  {
    what: 'reconcile logs what ensure throws',
    found: 'reports',
    says: [/^it never was Completed: Error: POST/, /likely mistake: what ensure, destroy or guard throws is swallowed/],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }: Connect) => ({
        reconcile: () => controller.ensure(resource, wantedOf(workspace.spec)).catch(() => undefined as never),
        terminate: () => controller.destroy(resource).catch(() => undefined as never),
      }),
    }),
  },
  {
    what: 'boxes are ensured one after the other by forEach',
    found: 'completes',
    says: [
      /^reconcile answers while ensure is still under way/,
      /likely mistake: reconcile answers while ensure is still under way: await it/,
    ],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }: Connect) => ({
        async reconcile() {
          wantedOf(workspace.spec).forEach(async (wanted) => {
            await controller.ensure(resource, [wanted]);
          });
        },
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'the controller of the first workspace is kept',
    found: 'contended',
    identity: 'tag',
    says: [
      /^two workspaces, subject and competitor, each of which is Completed where it is alone: /,
      /likely mistake: reconcile calls ensure of a controller that another connect was given/,
    ],
    plugIn(resource) {
      let kept: Connect['controller'] | undefined;
      return {
        connect: ({ workspace, controller }: Connect) => {
          kept ??= controller;
          const used = kept;
          return {
            reconcile: () => used.ensure(resource, wantedOf(workspace.spec)),
            terminate: () => used.destroy(resource),
          };
        },
      };
    },
  },
  {
    what: 'driftInterval is in seconds',
    found: 'once',
    says: [/^driftInterval is 600 ms/, /likely mistake: driftInterval is 600 ms: it is in ms, not in seconds/],
    resource: () => ({ driftInterval: 600 }),
  },
];
