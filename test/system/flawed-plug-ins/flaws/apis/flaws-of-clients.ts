import { get } from 'node:http';
import { DefiniteError, errorOfResponse } from '../../../../../sdk/index.ts';
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
  {
    what: '408 is thrown as DefiniteError',
    found: 'answers',
    identity: 'tag',
    says: [
      /^call 2 \(POST \/boxes\) was carried out and answered by HTTP 408: create threw DefiniteError/,
      /likely mistake: create threw DefiniteError when .*errorOfRequest and errorOfResponse make of it/,
    ],
    tools: (right) => ({
      ...right,
      async ask(path, { expected, ...ask } = {}) {
        const answer = await right.send(path, ask);
        if (answer.status === 408) throw new DefiniteError('HTTP 408');
        if (answer.ok || answer.status === expected) return answer;
        throw errorOfResponse(answer, `HTTP ${answer.status}`, right.clock.now());
      },
    }),
  },
  {
    what: 'one AbortController for all requests',
    found: 'signal',
    identity: 'tag',
    says: [
      /it never was Completed: Error: GET \/boxes\/1/,
      /likely mistake: observe sends GET \/boxes\/1 with a signal of its own that has aborted: an AbortController for several calls stays aborted/,
    ],
    resource(_, { create, observe }) {
      const all = new AbortController();
      const joined = <C extends { readonly signal: AbortSignal }>(context: C): C => {
        context.signal.addEventListener('abort', () => all.abort());
        return { ...context, signal: all.signal };
      };
      return {
        create: (wanted: Wanted, context: Create) => create(wanted, joined(context)),
        observe: (id: BoxId, context: Context) => observe?.(id, joined(context)),
      };
    },
  },
  {
    what: 'delete refuses what it has begun to close',
    found: 'crash',
    identity: 'tag',
    says: [
      /before DELETE \/boxes\/1 was called: the workspace was never gone: Deleting, Error: it is being closed/,
      /likely mistake: delete threw "it is being closed": .*each step works on what an earlier attempt has left/,
    ],
    resource: (tools, { delete: remove }) => ({
      async delete(id: BoxId, context: Context) {
        const box = await boxOf(tools, id, context.signal);
        if (box?.note !== undefined) throw new DefiniteError('it is being closed');
        const how = { method: 'PATCH', body: { note: 'closing' }, signal: context.signal, expected: 404 } as const;
        await tools.ask(`/boxes/${id.id}`, how);
        return remove(id, context);
      },
    }),
  },
];
