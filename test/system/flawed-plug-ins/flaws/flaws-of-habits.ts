import { type BoxId, type BoxResource, boxOf, listed, type Wanted } from '../a-box-plug-in.ts';
import type { Box } from '../a-box-shop.ts';
import type { Flaw } from '../flaw.ts';

type Look = { readonly signal: AbortSignal };
type Create = Parameters<BoxResource['create']>[1];

const conditional = /likely mistake: with identity name creating is conditional/;

/** Flaws of authors who are new to it, in functions of a resource. */
export const flawsOfHabits: readonly Flaw[] = [
  {
    what: 'one owner for all: the first that is seen',
    found: 'find',
    identity: 'tag',
    says: [
      /^beside objects of much the same name, find answers undefined for/,
      /likely mistake: the mark is .* or that of another call, since each call has an owner of its own/,
    ],
    resource(_, { create }) {
      let first: Create | undefined;
      return {
        create: (wanted: Wanted, context: Create) => {
          first ??= context;
          return create(wanted, { ...context, owner: first.owner });
        },
      };
    },
  },
  {
    what: 'create puts the time into the name it sends',
    found: 'create',
    says: [
      /^created again with the same name, the third party has box 1 .*, box 2/,
      /likely mistake: .*The name that is sent comes of what is wanted and of the owner, not of a clock or of chance/,
    ],
    resource: (tools, right) => ({
      create: (wanted: Wanted, context: Create) =>
        right.create({ ...wanted, name: `${wanted.name}-${Date.now()}` }, context),
      async observe(id: BoxId, { signal }: Look) {
        const box = await boxOf(tools, id, signal);
        return box && { state: { size: box.size, colour: box.colour } };
      },
    }),
  },
  {
    what: 'create puts a random number into the name it sends',
    found: 'create',
    says: [/^created again with the same name, the third party has box 1 .*, box 2/, conditional],
    resource: (tools, right) => ({
      create: (wanted: Wanted, context: Create) =>
        right.create({ ...wanted, name: `${wanted.name}-${Math.random()}` }, context),
      async observe(id: BoxId, { signal }: Look) {
        const box = await boxOf(tools, id, signal);
        return box && { state: { size: box.size, colour: box.colour } };
      },
    }),
  },
  {
    what: 'observe answers all that the shop tells',
    found: 'observe',
    says: [
      /^observe says that label is ".*" where undefined is wanted/,
      /likely mistake: state has to be in the terms of what is wanted: .* nothing that was not asked for/,
    ],
    resource: (tools) => ({
      async observe(id: BoxId, { signal }: Look) {
        const box = await boxOf(tools, id, signal);
        return box && { state: box };
      },
    }),
  },
  {
    what: 'create does not await find, so that it takes everything for there',
    found: 'completes',
    says: [
      /create: id must be a plain JSON object; found undefined/,
      /likely mistake: reconcile threw .*a promise that is not awaited is not an answer/,
    ],
    resource: (_, { create, find }) => ({
      async create(wanted: Wanted, context: Create) {
        const there = find!(context.owner, context);
        if (there) return { id: (await there) as BoxId };
        return create(wanted, context);
      },
    }),
  },
  {
    what: 'create answers a number for an id',
    found: 'find',
    says: [/^find answers \{"id":1\} for what create has named 1/, /likely mistake: two ids are two objects/],
    resource: (_, { create }) => ({
      create: async (wanted: Wanted, context: Create) => ({ id: (await create(wanted, context)).id.id }),
    }),
  },
  {
    what: 'delete polls by a timer of its own until it is gone',
    found: 'delete',
    shop: { goes: 10_000 },
    says: [
      /^delete never settles/,
      /likely mistake: delete does not wait until it is gone: answer "deleting", and it is asked again/,
    ],
    resource: (tools, { delete: remove }) => ({
      async delete(id: BoxId, context: Parameters<BoxResource['delete']>[1]) {
        await remove(id, context);
        while ((await boxOf(tools, id, context.signal)) !== undefined)
          await new Promise((resolve) => setTimeout(resolve, 1_000));
        return 'gone';
      },
    }),
  },
  {
    what: 'observe compares a text with a number',
    found: 'completes',
    identity: 'tag',
    says: [
      /box a is listed, but reading it says that it is not there/,
      /likely mistake: .*find and observe disagree: observe has to read the object of the id/,
    ],
    resource: (tools, { create, find }) => ({
      create: async (wanted: Wanted, context: Create) => ({
        id: { id: String((await create(wanted, context)).id.id) as never },
      }),
      find: async (owner: never, context: never) => {
        const found = await find!(owner, context);
        return found && { id: String(found.id) };
      },
      async observe({ id }: BoxId, { signal }: Look) {
        const box = (await listed(tools, '', signal)).find((one) => one.id === id);
        return box && { state: { name: box.name, size: box.size, colour: box.colour } };
      },
    }),
  },
  {
    what: 'delete removes all boxes with the uid of the workspace',
    found: 'delete',
    identity: 'tag',
    says: [
      /^delete of \{"id":1\} removes box 2 .* as well/,
      /likely mistake: delete removes by the id, and only what is ours/,
    ],
    resource: (tools, { delete: remove }) => ({
      async delete(_: BoxId, context: Parameters<BoxResource['delete']>[1]) {
        for (const box of await listed(tools, `prefix=${context.owner.uid}`, context.signal))
          await remove({ id: box.id }, context);
        return 'gone';
      },
    }),
  },
  {
    what: 'create keeps the first error for good',
    found: 'reports',
    says: [
      /^it never was Completed: .*; nothing was asked since the third party refuses nothing any more/,
      /likely mistake: an error is kept and thrown again/,
    ],
    resource(_, { create }) {
      let failed: unknown;
      return {
        async create(wanted: Wanted, context: Create) {
          if (failed !== undefined) throw failed;
          return create(wanted, context).catch((error: unknown) => {
            failed = error;
            throw error;
          });
        },
      };
    },
  },
  {
    what: 'find picks the newest box of that name',
    found: 'find',
    says: [
      /^find answers \{"id":1\}, which is ours/,
      /likely mistake: find has to ask the third party, each time, for what bears exactly owner.mark/,
    ],
    resource: (tools) => ({
      async find({ slot }: { slot: string }, { signal }: Look) {
        const boxes = await listed(tools, `name=${encodeURIComponent(slot)}`, signal);
        const newest = boxes.toSorted((a, b) => b.since - a.since)[0];
        return newest && { id: newest.id };
      },
    }),
  },
  {
    what: 'a cache of a minute, by the clock that it was given',
    found: 'update',
    says: [
      /^observe says that size is still 1, though it has been changed/,
      /likely mistake: observe has to answer what the third party has now/,
    ],
    resource(tools) {
      const cache = new Map<number, { until: number; box: Box | undefined }>();
      return {
        async observe(id: BoxId, { signal }: Look) {
          let kept = cache.get(id.id);
          if (kept === undefined || kept.until < tools.clock.monotonic()) {
            kept = { until: tools.clock.monotonic() + 60_000, box: await boxOf(tools, id, signal) };
            cache.set(id.id, kept);
          }
          const { box } = kept;
          return box && { state: { name: box.name, size: box.size, colour: box.colour } };
        },
      };
    },
  },
];
