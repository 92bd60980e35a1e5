import { DefiniteError } from '../../../../../sdk/index.ts';
import { type BoxId, type BoxResource, boxOf, listed, type Wanted, wantedOf } from '../../a-box-plug-in.ts';
import type { Flaw } from '../../flaw.ts';

type Look = { readonly signal: AbortSignal };
type ReplaceMark = Parameters<NonNullable<BoxResource['replaceMark']>>[1];
type Update = Parameters<NonNullable<BoxResource['update']>>[2];
type Create = Parameters<BoxResource['create']>[1];

const ofItsId = /likely mistake: replaceMark marks the object of its id, and nothing else/;
const alone = /likely mistake: update changes the object of its id alone/;

/** Flaws of functions that take another object than the one of their id for theirs. */
export const flawsOfAims: readonly Flaw[] = [
  {
    what: 'replaceMark takes 404 for done',
    found: 'restored',
    identity: 'tag',
    says: [/^replaceMark of \{"id":1\}, which is gone, answers as if it had been marked/, ofItsId],
    resource: ({ ask }) => ({
      replaceMark: async ({ id }: BoxId, { owner, signal }: ReplaceMark) =>
        void (await ask(`/boxes/${id}`, { method: 'PATCH', body: { label: owner.mark }, signal, expected: 404 })),
    }),
  },
  {
    what: 'replaceMark throws any error for what is gone',
    found: 'restored',
    identity: 'tag',
    says: [
      /^replaceMark of \{"id":1\}, which is gone, throws "no box" and no DefiniteError: it is tried again/,
      ofItsId,
    ],
    resource: (tools, { replaceMark }) => ({
      async replaceMark(id: BoxId, context: ReplaceMark) {
        if ((await boxOf(tools, id, context.signal)) === undefined) throw new Error('no box');
        await replaceMark?.(id, context);
      },
    }),
  },
  {
    what: 'replaceMark marks what has the name',
    found: 'restored',
    says: [/^replaceMark of \{"id":1\}, which is gone, marks what another workspace has made since/, ofItsId],
    resource: (tools) => ({
      async replaceMark(_: BoxId, { owner, signal }: ReplaceMark) {
        const [box] = await listed(tools, `name=${owner.slot}`, signal);
        if (box === undefined) throw new DefiniteError('no such box');
        await tools.ask(`/boxes/${box.id}`, { method: 'PATCH', body: { label: owner.mark }, signal });
      },
    }),
  },
  {
    what: 'replaceMark marks all that bears a former uid',
    found: 'restored',
    identity: 'tag',
    says: [
      /^replaceMark of \{"id":1\} changes another object as well: find answers undefined for "a-2", which is \{"id":2\}/,
      ofItsId,
    ],
    resource: (tools, right) => ({
      async replaceMark(id: BoxId, context: ReplaceMark) {
        const { owner, former, signal } = context;
        await right.replaceMark?.(id, context);
        for (const { uid } of former)
          for (const box of await listed(tools, `prefix=${uid}`, signal))
            await tools.ask(`/boxes/${box.id}`, { method: 'PATCH', body: { label: owner.mark }, signal });
      },
    }),
  },
  {
    what: 'update changes all boxes of the workspace',
    found: 'update',
    identity: 'tag',
    says: [/^update of \{"id":1\} changes box 2 \(red a-2 of 1\) as well/, alone],
    resource: (tools) => ({
      async update({ id }: BoxId, { size, colour }: Wanted, { owner, signal }: Update) {
        await tools.ask(`/boxes/${id}`, { signal });
        for (const box of await listed(tools, `prefix=${owner.uid}`, signal))
          await tools.ask(`/boxes/${box.id}`, { method: 'PATCH', body: { size, colour }, signal });
      },
    }),
  },
  {
    what: 'update sends what was not asked for as empty',
    found: 'follows',
    identity: 'tag',
    says: [
      /^after a change of the spec .* the third party has box 1 \(red {2}of 2\) instead of red a of 2/,
      /likely mistake: update does not carry every member/,
    ],
    resource: ({ ask }) => ({
      update: async ({ id }: BoxId, { size, colour }: Wanted, { owner, signal }: Update) =>
        void (await ask(`/boxes/${id}`, { method: 'PUT', body: { size, colour, label: owner.mark }, signal })),
    }),
  },
  {
    what: 'observe keeps its id in a variable of the module before a request',
    found: 'observe',
    identity: 'tag',
    says: [
      /^where two objects are observed at the same time, observe answers \{.*"a-502".*\} for \{"id":\d+\}, and \{.*"a-501"/,
      /likely mistake: .*something of one call is kept in a variable that another call under way has written since/,
    ],
    resource(tools, { observe }) {
      const last: { id?: BoxId } = {};
      return {
        async observe(id: BoxId, context: Look & Parameters<NonNullable<typeof observe>>[1]) {
          last.id = id;
          await tools.ask('/boxes?page=0', { signal: context.signal });
          return observe?.(last.id, context);
        },
      };
    },
  },
  {
    what: 'an id is cut to its first character',
    found: 'find',
    identity: 'tag',
    says: [/^create answers \{"id":"1"\} for two objects/, /likely mistake: an id is cut short, or changed on its way/],
    resource: (_, { create, find }) => ({
      create: async (wanted: Wanted, context: Create) => ({
        id: { id: String((await create(wanted, context)).id.id).slice(0, 1) },
      }),
      async find(owner: Create['owner'], look: Look) {
        const found = await find?.(owner, look);
        return found && { id: String(found.id).slice(0, 1) };
      },
    }),
  },
  {
    what: 'what is wanted has an hour in the time zone of the machine in it',
    found: 'once',
    identity: 'tag',
    says: [
      /^walked by a fresh sequencer in another time zone, the third party has box 1/,
      /likely mistake: what is wanted, or a name, differs from walk to walk \(.*a time in the zone of the machine\)/,
    ],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }) => ({
        reconcile: () =>
          controller.ensure(
            resource,
            wantedOf(workspace.spec).map((one) => ({ ...one, colour: `${one.colour} ${new Date(0).getHours()}` })),
          ),
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
];
