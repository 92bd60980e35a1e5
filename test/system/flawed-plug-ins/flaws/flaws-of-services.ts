import { ExternalAlreadyExistsError } from '../../../../sdk/index.ts';
import { type BoxId, type BoxResource, boxOf, boxResource, listed, type Wanted, wantedOf } from '../a-box-plug-in.ts';
import type { Box } from '../a-box-shop.ts';
import type { Flaw } from '../flaw.ts';

type Look = { readonly signal: AbortSignal };
type Create = BoxResource['create'];
type Context = Parameters<Create>[1];
type Observe = NonNullable<BoxResource['observe']>;
type Update = NonNullable<BoxResource['update']>;

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Flaws in how services of many shapes are used. */
export const flawsOfServices: readonly Flaw[] = [
  {
    what: 'findAll picks its boxes from the first page of all',
    found: 'find',
    identity: 'tag',
    says: [
      /^among 120 objects of others, findAll answers \[\] where \[\{"slot":"a"/,
      /likely mistake: findAll lists everything .*, from all pages/,
    ],
    resource: (tools) => ({
      findAll: async ({ mark }: { mark: string }, { signal }: Look) => {
        const answer = await tools.ask('/boxes?page=0', { signal });
        const { items } = (await answer.json()) as { items: readonly Box[] };
        return items
          .filter(({ label }) => label.startsWith(mark))
          .map(({ id, label }) => ({ slot: label.slice(mark.length), id: { id } }));
      },
    }),
  },
  {
    what: 'what is ready is remembered by the process that made it',
    found: 'crash',
    says: [
      /^crashed after POST \/boxes answered, .*: it never came to rest: In Progress: box is being made/,
      /likely mistake: ready was never answered as true: see create and observe/,
    ],
    resource(tools, { create, observe }) {
      const since = new Map<number, number>();
      return {
        async create(...args: Parameters<Create>) {
          const { id } = await create(...args);
          since.set(id.id, tools.clock.monotonic());
          return { id, ready: false };
        },
        async observe(id: BoxId, context: Parameters<Observe>[1]) {
          const seen = await observe?.(id, context);
          const made = since.get(id.id);
          return seen && { ...seen, ready: made !== undefined && tools.clock.monotonic() - made > 2_000 };
        },
      };
    },
  },
  {
    what: 'update demands the version that create has answered',
    found: 'update',
    says: [
      /^after an update, find answers .*"version":"2-red".* instead of .*"version":"1-red"/,
      /likely mistake: an id stays the same/,
    ],
    resource(tools, { create, update, find }) {
      const version = ({ size, colour }: Pick<Box, 'size' | 'colour'>) => `${size}-${colour}`;
      return {
        async create(wanted: Wanted, context: Context) {
          const { id } = await create(wanted, context);
          return { id: { ...id, version: version(wanted) } };
        },
        async find(...args: Parameters<NonNullable<typeof find>>) {
          const id = await find?.(...args);
          const box = id && (await boxOf(tools, id, args[1].signal));
          return box && { id: box.id, version: version(box) };
        },
        async update(id: BoxId & { version: string }, wanted: Wanted, context: Parameters<Update>[2]) {
          const box = await boxOf(tools, id, context.signal);
          if (box && version(box) !== id.version) throw new Error('412: it has changed meanwhile');
          await update?.(id, wanted, context);
        },
      };
    },
  },
  {
    what: 'the mark is put into a variable of the module before a request',
    found: 'find',
    identity: 'tag',
    says: [
      /^where two objects are made at the same time, find answers undefined for \{"id":\d+\}/,
      /likely mistake: what several objects share .* Or something of one call is kept in a variable that another call under way has written since/,
    ],
    resource: (tools, { create }) => ({
      async create(wanted: Wanted, context: Context) {
        shared.owner = context.owner;
        await tools.ask('/boxes?page=0', { signal: context.signal });
        return create(wanted, { ...context, owner: shared.owner });
      },
    }),
  },
  {
    what: 'names have the day in them, by the clock that it was given',
    found: 'once',
    identity: 'tag',
    says: [
      /^walked forty days later, by a fresh sequencer, (it writes though nothing has changed|the third party has box 2)/,
      /likely mistake: what is wanted, or a name, differs from walk to walk \(a clock/,
    ],
    plugIn: (resource, { clock }) => ({
      connect: ({ workspace, controller }) => ({
        reconcile: () =>
          controller.ensure(
            resource,
            wantedOf(workspace.spec).map((one) => ({ ...one, name: `${one.name}-${day(clock.now())}` })),
          ),
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'delete removes what bears the mark, whatever its id',
    found: 'delete',
    identity: 'tag',
    says: [
      /^delete of \{"id":1\}, which is gone, removes \{"id":\d+\}, which bears the same mark/,
      /likely mistake: delete removes the object of that id alone/,
    ],
    resource: (tools, { delete: remove }) => ({
      async delete(_: BoxId, context: Parameters<BoxResource['delete']>[1]) {
        for (const { id } of await listed(tools, `label=${encodeURIComponent(context.owner.mark)}`, context.signal))
          await remove({ id }, context);
        return 'gone';
      },
    }),
  },
  {
    what: 'find takes what bears no mark at all',
    found: 'find',
    says: [
      /^find answers \{"id":\d+\}, which bears no mark, for/,
      /likely mistake: what bears no mark is another’s, as what a person has made by hand/,
    ],
    resource: (tools) => ({
      async find({ mark }: { mark: string }, { signal }: Look) {
        const [own] = await listed(tools, `label=${encodeURIComponent(mark)}`, signal);
        const [unmarked] = await listed(tools, 'label=', signal);
        const box = own ?? unmarked;
        return box && { id: box.id };
      },
    }),
  },
  {
    what: 'two resources are ensured one after the other',
    found: 'completes',
    identity: 'tag',
    says: [
      /^it never was Completed: Error: .*ensure was called for "box", then for "lid"/,
      /likely mistake: reconcile ensures twice in one turn, .*have an integration of its own for another resource/,
    ],
    plugIn: (resource, tools) => ({
      connect: ({ workspace, controller }) => ({
        async reconcile() {
          await controller.ensure(resource, wantedOf(workspace.spec));
          const lids = wantedOf(workspace.spec).map((one) => ({ ...one, name: `${one.name}-lid` }));
          return controller.ensure({ ...boxResource(tools, 'tag'), label: 'lid' } as BoxResource, lids);
        },
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'create takes another name where one is taken',
    found: 'create',
    says: [
      /^created again with the same name, the third party has box 1 .*, box 2/,
      /likely mistake: with identity name creating is conditional/,
    ],
    resource: (_, { create }) => ({
      create: (wanted: Wanted, context: Context) =>
        create(wanted, context).catch((error: unknown) => {
          if (error instanceof ExternalAlreadyExistsError)
            return create({ ...wanted, name: `${wanted.name}-2` }, context);
          throw error;
        }),
    }),
  },
];

/** State of the module, for all workspaces. */
const shared: { owner: Context['owner'] | undefined } = { owner: undefined } as never;
