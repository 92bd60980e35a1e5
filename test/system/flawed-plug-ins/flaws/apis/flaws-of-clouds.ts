import { type BoxId, type BoxResource, boxOf, listed, type Wanted, wantedOf } from '../../a-box-plug-in.ts';
import type { Flaw } from '../../flaw.ts';

type Look = { readonly signal: AbortSignal };
type Create = BoxResource['create'];
type Context = Parameters<Create>[1];
type Observe = NonNullable<BoxResource['observe']>;

/** Flaws with APIs that work on after their answer, and answer otherwise than a list or a document. */
export const flawsOfClouds: readonly Flaw[] = [
  {
    what: 'an operation is polled by an id that is kept in memory',
    found: 'crash',
    identity: 'tag',
    shop: { works: 3_000 },
    says: [
      /^crashed after .*: it never came to rest: Error: no operation of it is known/m,
      /likely mistake: observe threw "no operation of it is known"/,
    ],
    resource(tools, { create, observe }) {
      const operations = new Map<number, number>();
      return {
        async create(...args: Parameters<Create>) {
          const { id } = await create(...args);
          operations.set(id.id, id.id);
          return { id, ready: false };
        },
        async observe(id: BoxId, context: Parameters<Observe>[1]) {
          const operation = operations.get(id.id);
          if (operation === undefined) throw new Error('no operation of it is known');
          const { done } = (await (await tools.ask(`/operations/${operation}`, { signal: context.signal })).json()) as {
            done: boolean;
          };
          const seen = await observe?.(id, context);
          return seen && { ...seen, ready: done };
        },
      };
    },
  },
  {
    what: 'observe never settles',
    found: 'observe',
    says: [/^observe never settles/, /likely mistake: observe has to end by its signal, whatever it waits for/],
    resource: () => ({ observe: () => new Promise(() => {}) }),
  },
  {
    what: 'find never settles',
    found: 'find',
    says: [/^find never settles/, /likely mistake: find has to end by its signal/],
    resource: () => ({ find: () => new Promise(() => {}) }),
  },
  {
    what: 'update never settles',
    found: 'update',
    says: [/^update never settles/, /likely mistake: update has to end by its signal/],
    resource: () => ({ update: () => new Promise(() => {}) }),
  },
  {
    what: 'observe keeps the colour that it saw first',
    found: 'update',
    painted: true,
    says: [
      /^observe says that colour is still "red", though it has been changed/,
      /likely mistake: observe has to answer what the third party has now/,
    ],
    resource(_, { observe }) {
      const colours = new Map<number, string>();
      return {
        async observe(id: BoxId, context: Parameters<Observe>[1]) {
          const seen = await observe?.(id, context);
          if (seen === undefined) return undefined;
          if (!colours.has(id.id)) colours.set(id.id, seen.state.colour ?? '');
          return { state: { ...seen.state, colour: colours.get(id.id) } };
        },
      };
    },
  },
  {
    what: 'findAll answers the whole mark as slot',
    found: 'find',
    identity: 'tag',
    says: [
      /^findAll answers .*"slot":".*\/Boxes\/a".* where .*"slot":"a"/,
      /likely mistake: findAll lists everything .*, each with the rest of its mark as slot/,
    ],
    resource: (tools) => ({
      findAll: async ({ mark }: { mark: string }, { signal }: Look) =>
        (await listed(tools, `prefix=${encodeURIComponent(mark)}`, signal)).map(({ id, label }) => ({
          slot: label,
          id: { id },
        })),
    }),
  },
  {
    what: 'findAll answers null for nothing',
    found: 'find',
    identity: 'tag',
    says: [
      /^findAll answers null, which is not an array/,
      /likely mistake: findAll: answer an empty list where nothing is there/,
    ],
    resource: (tools) => ({
      findAll: async ({ mark }: { mark: string }, { signal }: Look) => {
        const boxes = await listed(tools, `prefix=${encodeURIComponent(mark)}`, signal);
        return boxes.length === 0
          ? null
          : boxes.map(({ id, label }) => ({ slot: label.slice(mark.length), id: { id } }));
      },
    }),
  },
  {
    what: 'findAll looks for the mark itself, and no prefix',
    found: 'find',
    identity: 'tag',
    says: [
      /^findAll answers \[\] where .*"slot":"a"/,
      /likely mistake: findAll lists everything whose mark begins with owner\.mark/,
    ],
    resource: (tools) => ({
      findAll: async ({ mark }: { mark: string }, { signal }: Look) => {
        const boxes = await listed(tools, `label=${encodeURIComponent(mark)}`, signal);
        return boxes.map(({ id, label }) => ({ slot: label.slice(mark.length), id: { id } }));
      },
    }),
  },
  {
    what: 'replaceMark puts the former mark',
    found: 'restored',
    identity: 'tag',
    says: [
      /after a restore, find answers undefined for .* instead of \{"id":1\}/,
      /likely mistake: replaceMark has to put owner\.mark in place of a former one/,
    ],
    resource: ({ ask }) => ({
      async replaceMark({ id }: BoxId, { owner, former, signal }: Context & { former: readonly Context['owner'][] }) {
        await ask(`/boxes/${id}`, { method: 'PATCH', body: { label: former[0]?.mark ?? owner.mark }, signal });
      },
    }),
  },
  {
    what: 'replaceMark makes a copy with the new mark',
    found: 'restored',
    identity: 'tag',
    says: [
      /after a restore, find answers \{"id":2\} for .* instead of \{"id":1\}/,
      /likely mistake: replaceMark has to put owner\.mark/,
    ],
    resource: (tools) => ({
      async replaceMark(id: BoxId, { owner, signal }: Context) {
        const box = await boxOf(tools, id, signal);
        await tools.ask('/boxes', { method: 'POST', body: { ...box, label: owner.mark }, signal });
        await tools.ask(`/boxes/${id.id}`, { method: 'DELETE', signal, expected: 404 });
      },
    }),
  },
  {
    what: 'observe answers GiB where GB are wanted',
    found: 'observe',
    says: [
      /^observe says that size is 0\.93\d+ where 1 is wanted/,
      /likely mistake: state has to be in the terms of what is wanted: the same members, types and units/,
    ],
    resource: (_tools, { observe }) => ({
      async observe(id: BoxId, context: Parameters<Observe>[1]) {
        const seen = await observe?.(id, context);
        return seen && { state: { ...seen.state, size: ((seen.state.size ?? 0) * 1e9) / 2 ** 30 } };
      },
    }),
  },
  {
    what: 'a key is made at each look',
    found: 'observe',
    identity: 'tag',
    says: [
      /^observe changed what exists at the third party by PATCH \/boxes\/1/,
      /likely mistake: observe changed what exists/,
    ],
    resource: (tools, { observe }) => ({
      async observe(id: BoxId, context: Parameters<Observe>[1]) {
        await tools.ask(`/boxes/${id.id}`, {
          method: 'PATCH',
          body: { note: 'rotated' },
          signal: context.signal,
          expected: 404,
        });
        return observe?.(id, context);
      },
    }),
  },
  {
    what: 'reconcile does nothing once it is Completed',
    found: 'follows',
    identity: 'tag',
    says: [
      /^after a change of the spec .* the third party has box 1 \(red a of 1\) instead of red a of 2/,
      /likely mistake: update does not carry every member, is never reached/,
    ],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }) => ({
        reconcile: async () =>
          controller.condition.status === 'Completed'
            ? undefined
            : controller.ensure(resource, wantedOf(workspace.spec)),
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'validForMs is in seconds',
    found: 'completes',
    identity: 'key',
    says: [/^validForMs is 86400 ms: it is in ms, not in seconds/, /likely mistake: validForMs is 86400 ms/],
    resource: () => ({ validForMs: 86_400 }),
  },
  {
    what: 'secretOf answers other members than create',
    found: 'crash',
    identity: 'tag',
    says: [
      /secretOf answers the members pass where create has answered password/,
      /likely mistake: secretOf answers .*both have to have the same members/,
    ],
    resource: (_, { create }) => ({
      create: async (...args: Parameters<Create>) => ({
        ...(await create(...args)),
        secret: { password: 'open-sesame' },
      }),
      secretOf: async () => ({ pass: 'open-sesame' }),
    }),
  },
  {
    what: 'create answers an id without a number in it',
    found: 'answers',
    says: [
      /create answers an id that names nothing, \{\} as JSON/,
      /likely mistake: create answers an id that names nothing.*throw where the id is missing/,
    ],
    resource: (tools) => ({
      async create(wanted: Wanted, { owner, signal }: Context) {
        const body = { ...wanted, label: owner.mark };
        const answer = await tools.ask('/boxes', { method: 'POST', body, signal });
        const { id } = (await answer.json().catch(() => ({}))) as Partial<BoxId>;
        return { id: { id } };
      },
    }),
  },
];
