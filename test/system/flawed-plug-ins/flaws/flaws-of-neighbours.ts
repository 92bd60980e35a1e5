import { DefiniteError } from '../../../../sdk/index.ts';
import { type BoxId, type BoxResource, boxOf, listed, type Wanted } from '../a-box-plug-in.ts';
import type { Flaw } from '../flaw.ts';

type Look = { readonly signal: AbortSignal };
type Create = BoxResource['create'];
type Context = Parameters<Create>[1];
type Observe = NonNullable<BoxResource['observe']>;
type Update = NonNullable<BoxResource['update']>;
type Find = NonNullable<BoxResource['find']>;

const cutShort = /likely mistake: the mark is cut short or changed on its way, or compared without its case/;
const ownOnly = /likely mistake: delete removes by the id, and only what is ours/;
const asItIs = /likely mistake: update has to leave the mark as it is/;
const toldNow = /likely mistake: observe has to answer what the third party has now, in the terms of what is wanted/;
const unobserved = { drift: undefined as never };

const short = <T extends { readonly owner: { readonly mark: string } }>(context: T): T => ({
  ...context,
  owner: { ...context.owner, mark: context.owner.mark.slice(0, 63) },
});

/** Flaws that show beside other objects, or to another process. */
export const flawsOfNeighbours: readonly Flaw[] = [
  {
    what: 'the mark is cut after 63 characters',
    found: 'find',
    identity: 'tag',
    says: [/^beside objects of much the same name, find answers \{"id":2\} for "ax+2", which is \{"id":3\}/, cutShort],
    resource: (_, { create, find, replaceMark }) => ({
      create: (wanted: Wanted, context: Context) => create(wanted, short(context)),
      find: (owner: Parameters<Find>[0], look: Look) => find?.(short({ owner }).owner, look),
      replaceMark: (id: BoxId, context: Parameters<NonNullable<typeof replaceMark>>[1]) =>
        replaceMark?.(id, short(context)),
    }),
  },
  {
    what: 'find compares marks without their case',
    found: 'find',
    identity: 'tag',
    says: [/^beside objects of much the same name, find answers \{"id":1\} for "A", which is/, cutShort],
    resource: (tools) => ({
      async find({ mark }: { mark: string }, { signal }: Look) {
        const boxes = await listed(tools, '', signal);
        const box = boxes.find(({ label }) => label.toLowerCase() === mark.toLowerCase());
        return box && { id: box.id };
      },
    }),
  },
  {
    what: 'delete removes all that begins with the uid',
    found: 'delete',
    identity: 'tag',
    says: [/^delete of \{"id":1\} removes box 2 \(red a-2 of 1\) as well/, ownOnly],
    resource: (tools) => ({
      async delete(_: BoxId, { owner, signal }: Context) {
        for (const { id } of await listed(tools, `prefix=${owner.uid}`, signal))
          await tools.ask(`/boxes/${id}`, { method: 'DELETE', signal, expected: 404 });
      },
    }),
  },
  {
    what: 'update puts another label',
    found: 'update',
    identity: 'tag',
    says: [/^after an update, find answers undefined for \S+ instead of \{"id":1\}/, asItIs],
    resource: ({ ask }) => ({
      async update({ id }: BoxId, { size, colour }: Wanted, { signal }: Look) {
        await ask(`/boxes/${id}`, { method: 'PATCH', body: { size, colour, label: 'boxes' }, signal });
      },
    }),
  },
  {
    what: 'update removes and makes anew',
    found: 'update',
    identity: 'tag',
    says: [
      /^observe answers undefined for \{"id":1\} after an update/,
      /likely mistake: update has to change the object of that id/,
    ],
    resource: (tools, { create }) => ({
      async update(id: BoxId, wanted: Wanted, context: Parameters<Update>[2]) {
        if ((await boxOf(tools, id, context.signal)) === undefined) throw new DefiniteError('gone');
        await tools.ask(`/boxes/${id.id}`, { method: 'DELETE', signal: context.signal });
        await create(wanted, { ...context, key: '' });
      },
    }),
  },
  {
    what: 'observe says that everything bears our mark',
    found: 'observe',
    identity: 'tag',
    says: [
      /^observe says that \{"id":\d+\} bears \S+\/Boxes\/a, whose it is not/,
      /likely mistake: mark has to be what the third party has/,
    ],
    resource: (_, { observe }) => ({
      async observe(id: BoxId, context: Parameters<Observe>[1]) {
        const seen = await observe?.(id, context);
        return seen && { ...seen, mark: context.owner.mark };
      },
    }),
  },
  {
    what: 'observe answers what this process has sent last',
    found: 'update',
    identity: 'tag',
    subject: unobserved,
    says: [/^observe says that size is still 1, though it has been changed/, toldNow],
    resource(_, { observe, create, update }) {
      const last = new Map<number, Wanted>();
      return {
        async create(wanted: Wanted, context: Context) {
          const made = await create(wanted, context);
          last.set(made.id.id, wanted);
          return made;
        },
        async update(id: BoxId, wanted: Wanted, context: Parameters<Update>[2]) {
          await update?.(id, wanted, context);
          last.set(id.id, wanted);
        },
        async observe(id: BoxId, context: Parameters<Observe>[1]) {
          const seen = await observe?.(id, context);
          return seen && { state: last.get(id.id) ?? seen.state };
        },
      };
    },
  },
  {
    what: 'observe translates one colour only',
    found: 'update',
    says: [/^observe says that colour is "#00f", where "red" has been changed to "blue"/, toldNow],
    resource: (_, { observe }) => ({
      async observe(id: BoxId, context: Parameters<Observe>[1]) {
        const seen = await observe?.(id, context);
        if (seen?.state.colour !== 'blue') return seen;
        return { state: { ...seen.state, colour: '#00f' } };
      },
    }),
  },
];
