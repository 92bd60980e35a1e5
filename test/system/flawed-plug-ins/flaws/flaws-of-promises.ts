import type { Integration } from '../../../../sdk/index.ts';
import { type BoxId, type BoxResource, type Wanted, wantedOf } from '../a-box-plug-in.ts';
import type { Flaw } from '../flaw.ts';

type Look = { readonly signal: AbortSignal };
type Connect = Parameters<Integration['connect']>[0];

const awaits = (name: string, left: string) =>
  new RegExp(`likely mistake: ${name} answers while ${left} is still under way: await it, and return what it answers`);
const unobserved = { drift: undefined as never };

/** Flaws in what is awaited. */
export const flawsOfPromises: readonly Flaw[] = [
  {
    what: 'update does not await its request',
    found: 'follows',
    says: [/^update answers while PATCH \/boxes\/1 is still under way/, awaits('update', 'PATCH /boxes/1')],
    resource: ({ ask }) => ({
      async update({ id }: BoxId, { size, colour }: Wanted, { signal }: Look) {
        void ask(`/boxes/${id}`, { method: 'PATCH', body: { size, colour }, signal }).catch(() => undefined);
      },
    }),
  },
  {
    what: 'create does not await what it adds to the box',
    found: 'completes',
    says: [/^create answers while PATCH \/boxes\/1 is still under way/, awaits('create', 'PATCH /boxes/1')],
    resource: ({ ask }, { create }) => ({
      async create(wanted: Wanted, context: Parameters<BoxResource['create']>[1]) {
        const made = await create(wanted, context);
        const how = { method: 'PATCH', body: { colour: wanted.colour }, signal: context.signal } as const;
        void ask(`/boxes/${made.id.id}`, how).catch(() => undefined);
        return made;
      },
    }),
  },
  {
    what: 'create continues by a timer of its own',
    found: 'once',
    subject: unobserved,
    says: [
      /create was over, and changed what exists at the third party by PATCH \/boxes\/1/,
      /likely mistake: .*await each request, and each function that makes one; no timer may continue/,
    ],
    resource: ({ ask, clock }, { create }) => ({
      observe: undefined,
      driftInterval: undefined,
      async create(wanted: Wanted, context: Parameters<BoxResource['create']>[1]) {
        const made = await create({ ...wanted, size: 0 }, context);
        const how = { method: 'PATCH', body: { size: wanted.size } } as const;
        const later = clock.sleep(2_500).then(() => ask(`/boxes/${made.id.id}`, how));
        void later.catch(() => undefined);
        return made;
      },
    }),
  },
  {
    what: 'reconcile does not await ensure',
    found: 'completes',
    says: [/^reconcile answers while ensure is still under way/, awaits('reconcile', 'ensure')],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }: Connect) => ({
        async reconcile() {
          void controller.ensure(resource, wantedOf(workspace.spec)).catch(() => undefined);
        },
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'terminate does not await destroy',
    found: 'cleans',
    says: [/^terminate answers while destroy is still under way/, awaits('terminate', 'destroy')],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }: Connect) => ({
        reconcile: () => controller.ensure(resource, wantedOf(workspace.spec)),
        async terminate() {
          void controller.destroy(resource).catch(() => undefined);
        },
      }),
    }),
  },
  {
    what: 'reconcile counts the time until it comes back in seconds',
    found: 'once',
    says: [/^reconcile answers requeueAfter 1 ms, 20 times/, /likely mistake: .*it is in ms, not in seconds/],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }: Connect) => ({
        async reconcile() {
          await controller.ensure(resource, wantedOf(workspace.spec));
          return { requeueAfter: 1 };
        },
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'reconcile asks to be called again at once, for ever',
    found: 'once',
    says: [/^reconcile answers requeueAfter 0 ms, 20 times/, /likely mistake: .*ask once a second at most/],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }: Connect) => ({
        async reconcile() {
          await controller.ensure(resource, wantedOf(workspace.spec));
          return { requeueAfter: 0 };
        },
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'reconcile drops what ensure answers',
    found: 'completes',
    says: [/^reconcile does not return what ensure answers/, /likely mistake: .*which says when to come back/],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }: Connect) => ({
        async reconcile() {
          await controller.ensure(resource, wantedOf(workspace.spec));
        },
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'reconcile sets a finalizer, and terminate does not remove it',
    found: 'cleans',
    says: [
      /the workspace was never gone: Deleting, Terminated/,
      /likely mistake: the workspace bears acme\.example\/boxes, which the integration has set: .*removeFinalizer/,
    ],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }: Connect) => ({
        async reconcile() {
          await controller.setFinalizer('acme.example/boxes');
          return controller.ensure(resource, wantedOf(workspace.spec));
        },
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'terminate reads what the spec says by then',
    found: 'emptied',
    says: [
      /^deleted after all details of its spec were taken out: the workspace was never gone: Deleting, Error: a: size/,
      /likely mistake: terminate threw "a: size and colour are needed": .*whatever the spec says by now/,
    ],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }: Connect) => ({
        reconcile: () => controller.ensure(resource, wantedOf(workspace.spec)),
        terminate: async () => controller.destroy(resource, wantedOf(workspace.spec)),
      }),
    }),
  },
];
