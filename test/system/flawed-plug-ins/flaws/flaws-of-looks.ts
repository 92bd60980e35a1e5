import type { Owner } from '../../../../sdk/index.ts';
import { type BoxId, boxOf, listed, type Wanted } from '../a-box-plug-in.ts';
import type { Flaw } from '../flaw.ts';

type Look = { readonly signal: AbortSignal };

const asks = /likely mistake: find has to ask the third party, each time, for what bears exactly owner\.mark/;
const idOf = (box: { readonly id: number } | undefined): BoxId | undefined => box && { id: box.id };

/** Flaws in find, findAll and observe. */
export const flawsOfLooks: readonly Flaw[] = [
  {
    what: 'find answers from a cache',
    found: 'find',
    says: [/^find answers \{"id":1\}, which has been deleted/, asks],
    resource(_, { find }) {
      const cache = new Map<string, unknown>();
      return {
        async find(owner: Owner, look: Look) {
          if (!cache.get(owner.mark)) cache.set(owner.mark, await find?.(owner, look));
          return cache.get(owner.mark);
        },
      };
    },
  },
  {
    what: 'find remembers that nothing was there',
    found: 'find',
    says: [/^find answers undefined where \{"id":\d+\} was made since it was asked last/, asks],
    resource(_, { find }) {
      const nothing = new Set<string>();
      return {
        async find(owner: Owner, look: Look) {
          const found = nothing.has(owner.mark) ? undefined : await find?.(owner, look);
          if (found === undefined) nothing.add(owner.mark);
          return found;
        },
      };
    },
  },
  {
    what: 'find takes what begins like the mark',
    found: 'find',
    says: [/^find answers \{"id":1\}, which is ours \(.*\), for ".*" of scenario\/subject/, asks],
    resource: (tools) => ({
      find: async ({ mark }: Owner, { signal }: Look) =>
        idOf((await listed(tools, `prefix=${encodeURIComponent(mark.slice(0, 12))}`, signal))[0]),
    }),
  },
  {
    what: 'find takes what is labelled with the name of the workspace',
    found: 'find',
    says: [/^find answers \{"id":1\}, which is ours \(.*\), for ".*" of scenario-2\/subject/, asks],
    resource: (tools, { create }) => ({
      create: (wanted: Wanted, context: Parameters<typeof create>[1]) =>
        create(wanted, { ...context, owner: { ...context.owner, mark: context.owner.workspace } }),
      find: async ({ workspace }: Owner, { signal }: Look) =>
        idOf((await listed(tools, `label=${workspace}`, signal))[0]),
    }),
  },
  {
    what: 'find ignores whose it is',
    found: 'find',
    says: [/^find answers \{"id":1\}, which is ours/, asks],
    resource: (tools) => ({
      find: async ({ slot }: Owner, { signal }: Look) => idOf((await listed(tools, `name=${slot}`, signal))[0]),
    }),
  },
  {
    what: 'find reads the first page only',
    found: 'find',
    says: [/^among \d+ objects of others, find answers undefined for \{"id":\d+\}/, asks],
    resource: ({ ask }) => ({
      async find({ mark }: Owner, { signal }: Look) {
        const answer = await ask('/boxes', { signal });
        const { items } = (await answer.json()) as { items: readonly { id: number; label: string }[] };
        return idOf(items.find(({ label }) => label === mark));
      },
    }),
  },
  {
    what: 'find throws where nothing is there',
    found: 'find',
    says: [
      /^find throws "no box of .*" when it looks for an object/,
      /likely mistake: find: answer undefined for what is not there/,
    ],
    resource: (_, { find }) => ({
      async find(owner: Owner, look: Look) {
        const found = await find?.(owner, look);
        if (found === undefined) throw new Error(`no box of ${owner.mark}`);
        return found;
      },
    }),
  },
  {
    what: 'find answers another type of id than create',
    found: 'find',
    says: [/^find answers \{"id":"1"\} for what create has named \{"id":1\}/, /the same members of the same types/],
    resource: (_, { find }) => ({
      async find(owner: Owner, look: Look) {
        const found = await find?.(owner, look);
        return found && { id: String(found.id) };
      },
    }),
  },
  {
    what: 'find makes what it does not find',
    found: 'find',
    says: [/^find throws|^find answers/, /likely mistake: find changed what exists at the third party by POST \/boxes/],
    resource: ({ ask }, { find }) => ({
      async find(owner: Owner, look: Look) {
        const found = await find?.(owner, look);
        if (found !== undefined) return found;
        const answer = await ask('/boxes', {
          method: 'POST',
          body: { name: `${owner.uid}`, label: owner.mark },
          ...look,
        });
        return idOf((await answer.json()) as { id: number });
      },
    }),
  },
  {
    what: 'findAll lists the objects of all owners',
    found: 'find',
    says: [/^findAll answers .* to an owner that has nothing/, asks],
    resource: (tools) => ({
      findAll: async (_: Owner, { signal }: Look) =>
        (await listed(tools, '', signal)).map(({ id, label }) => ({ slot: label.split('/').at(-1)!, id: { id } })),
    }),
  },
  {
    what: 'observe answers what is wanted',
    found: 'fixes',
    painted: true,
    says: [
      /^after a change outside the third party has box 1 \(grey a of 1\)/,
      /answer from the third party what can be read/,
    ],
    resource(_, { observe, create, update }) {
      const last = new Map<number, Wanted>();
      return {
        async create(wanted: Wanted, context: Parameters<typeof create>[1]) {
          const made = await create(wanted, context);
          last.set(made.id.id, wanted);
          return made;
        },
        async update(id: BoxId, wanted: Wanted, look: Parameters<typeof create>[1]) {
          await update?.(id, wanted, look);
          last.set(id.id, wanted);
        },
        async observe(id: BoxId, look: Parameters<typeof create>[1]) {
          const seen = await observe?.(id, look);
          return seen && { state: last.get(id.id) ?? seen.state };
        },
      };
    },
  },
  {
    what: 'observe answers what it read first',
    found: 'update',
    says: [
      /^observe says that size is still 1, though it has been changed/,
      /observe has to answer what the third party has now/,
    ],
    resource(_, { observe }) {
      const seen = new Map<number, Promise<unknown> | undefined>();
      return {
        async observe(id: BoxId, look: Parameters<NonNullable<typeof observe>>[1]) {
          if (!seen.has(id.id)) seen.set(id.id, observe?.(id, look));
          return seen.get(id.id);
        },
      };
    },
  },
  {
    what: 'observe leaves a member out',
    found: 'observe',
    says: [
      /^the state that observe answers lacks colour: changes from outside are not detected/,
      /answer in state each member that can be read/,
    ],
    resource: (_, { observe }) => ({
      async observe(id: BoxId, look: Parameters<NonNullable<typeof observe>>[1]) {
        const seen = await observe?.(id, look);
        return seen && { state: { size: seen.state.size } };
      },
    }),
  },
  {
    what: 'observe answers a size as text',
    found: 'observe',
    says: [
      /^observe says that size is "1" where 1 is wanted, though nothing has changed it/,
      /the same members, types and units/,
    ],
    subject: { drift: undefined as never },
    resource: (_, { observe }) => ({
      driftInterval: undefined,
      async observe(id: BoxId, look: Parameters<NonNullable<typeof observe>>[1]) {
        const seen = await observe?.(id, look);
        return seen && { state: { ...seen.state, size: String(seen.state.size) } };
      },
    }),
  },
  {
    what: 'observe throws for what is gone',
    found: 'observe',
    says: [
      /^observe throws "GET \/boxes\/1: HTTP 404" for an object that is gone/,
      /likely mistake: observe: answer undefined for what is not there/,
    ],
    resource: ({ ask }) => ({
      async observe({ id }: BoxId, { signal }: Look) {
        const { name, size, colour } = (await (await ask(`/boxes/${id}`, { signal })).json()) as Wanted;
        return { state: { name, size, colour } };
      },
    }),
  },
  {
    what: 'observe never says that it is ready',
    found: 'completes',
    says: [
      /^it never was Completed: In Progress/,
      /likely mistake: ready was never answered as true: see create and observe/,
    ],
    resource: (tools, { create }) => ({
      create: async (...args: Parameters<typeof create>) => ({ ...(await create(...args)), ready: false }),
      observe: async (id: BoxId, { signal }: Look) => {
        const there = await boxOf(tools, id, signal);
        return there && { state: { size: there.size }, ready: false };
      },
    }),
  },
  {
    what: 'new boxes are listed late, and listLagMs does not say so',
    found: 'ambiguous',
    identity: 'tag',
    shop: { listLag: 300_000 },
    subject: { drift: undefined as never },
    says: [
      /and its answer lost: .*the third party has box 1 \(red a of 1\), box 2/,
      /case: ambiguous\n {2}likely mistake: find answered undefined for what POST \/boxes had made, whose answer was lost: .*lists it late, which listLagMs says/,
    ],
  },
];
