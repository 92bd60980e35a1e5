import { get } from 'node:http';
import { type BoxId, type BoxResource, boxOf, type Wanted } from '../../a-box-plug-in.ts';
import type { Flaw } from '../../flaw.ts';

type Create = Parameters<BoxResource['create']>[1];
type Context = Parameters<BoxResource['delete']>[1];

/** A `fetch` that a module has kept before the kit began. */
const keptFetch = globalThis.fetch;

/** Address at which nothing listens. */
const nowhere = 'http://127.0.0.1:2/boxes?key=abc';

/** Flaws of plug-ins whose clients and clocks are their own. */
export const flawsOfClients: readonly Flaw[] = [
  {
    what: 'delete asks by node:http',
    found: 'cleans',
    says: [
      /delete sends GET http:\/\/127\.0\.0\.1\/boxes past the kit, which neither records that request/,
      /likely mistake: delete sends .*send it by run\.fetch.*pass that client to run\.through\(client\)/,
    ],
    resource: (_, { delete: remove }) => ({
      async delete(id: BoxId, context: Context) {
        await new Promise((resolve) => get(nowhere).on('error', resolve));
        return remove(id, context);
      },
    }),
  },
  {
    what: 'delete asks by a fetch that its module has kept',
    found: 'cleans',
    says: [
      /delete sends GET http:\/\/127\.0\.0\.1:2\/boxes past the kit, which neither records that request/,
      /likely mistake: delete sends .*send it by run\.fetch, also in place of a fetch that a module has kept/,
    ],
    resource: (_, { delete: remove }) => ({
      async delete(id: BoxId, context: Context) {
        await keptFetch(nowhere).catch(() => undefined);
        return remove(id, context);
      },
    }),
  },
  {
    what: 'create puts the day of the system clock into the name it sends',
    found: 'create',
    says: [
      /^created again with the same name, the third party has box 1 .*, box 2/,
      /likely mistake: .*The name that is sent comes of what is wanted and of the owner, not of a clock or of chance/,
    ],
    resource: (tools, right) => ({
      create: (wanted: Wanted, context: Create) =>
        right.create({ ...wanted, name: `${wanted.name}-${new Date().toISOString().slice(0, 10)}` }, context),
      async observe(id: BoxId, { signal }: Context) {
        const box = await boxOf(tools, id, signal);
        return box && { state: { size: box.size, colour: box.colour } };
      },
    }),
  },
  {
    what: 'create takes an abort for done, and makes up an id',
    found: 'outage',
    identity: 'tag',
    says: [
      /^create answers \{"id":\{"id":999\}\}, though POST \/boxes got no answer until the signal aborted/,
      /likely mistake: create: an id is made up where the third party has named none/,
    ],
    resource: (_, { create }) => ({
      create: (wanted: Wanted, context: Create) =>
        create(wanted, context).catch((error: unknown) => {
          if (context.signal.aborted) return { id: { id: 999 } };
          throw error;
        }),
    }),
  },
];
