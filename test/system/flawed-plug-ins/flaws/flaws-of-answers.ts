import { DefiniteError, errorOfRequest, errorOfResponse } from '../../../../sdk/index.ts';
import type { Ask, BoxId, BoxResource, Tools, Wanted } from '../a-box-plug-in.ts';
import type { Box } from '../a-box-shop.ts';
import type { Flaw } from '../flaw.ts';

type Look = { readonly signal: AbortSignal };
type Create = Parameters<BoxResource['create']>[1];

const notRead = (name: string, nothing: string) =>
  new RegExp(`likely mistake: ${name}: what could not be read is taken for ${nothing}`);
const gone = notRead('observe', 'gone');
const notDone = (name: string) => new RegExp(`likely mistake: ${name}: a call that failed counts as done`);
const found = 'answers';

/** A client that lets these statuses through. */
const accepting =
  (isAccepted: (status: number, ask: Ask) => boolean) =>
  (right: Tools): Tools => ({
    ...right,
    async ask(path, { expected, ...ask } = {}) {
      const answer = await right.send(path, ask).catch((error: unknown) => {
        throw errorOfRequest(error, path);
      });
      if (answer.ok || answer.status === expected || isAccepted(answer.status, ask)) return answer;
      throw errorOfResponse(answer, `${path}: HTTP ${answer.status}`, right.clock.now());
    },
  });

const stateOf = ({ name, size, colour }: Box) => ({ state: { name, size, colour } });

async function pages({ ask }: Tools, isMine: (box: Box) => boolean, signal?: AbortSignal): Promise<Box | undefined> {
  for (let page: number | undefined = 0; page !== undefined; ) {
    const answer = await ask(`/boxes?page=${page}`, signal && { signal });
    const { items, next } = (await answer.json()) as { items: readonly Box[]; next?: number };
    const mine = items.find(isMine);
    if (mine !== undefined) return mine;
    page = next;
  }
  return undefined;
}

/** Flaws in what is made of answers that are not as expected. */
export const flawsOfAnswers: readonly Flaw[] = [
  {
    what: 'observe takes an error in a body for gone',
    found,
    says: [
      /^observe answers undefined, though GET \/boxes\/1 was answered by an error in a body with status 200/,
      gone,
    ],
    resource: ({ ask }) => ({
      async observe({ id }: BoxId, { signal }: Look) {
        const answer = await ask(`/boxes/${id}`, { signal, expected: 404 });
        const box = (await answer.json()) as Box;
        return box.id === undefined ? undefined : stateOf(box);
      },
    }),
  },
  {
    what: 'observe takes what is not JSON for gone',
    found,
    says: [/^observe answers undefined, though GET \/boxes\/1 was answered by a page of HTML with status 200/, gone],
    resource: ({ ask }) => ({
      async observe({ id }: BoxId, { signal }: Look) {
        const answer = await ask(`/boxes/${id}`, { signal, expected: 404 });
        const box = (await answer.json().catch(() => ({}))) as Box;
        return box.id === undefined ? undefined : stateOf(box);
      },
    }),
  },
  {
    what: 'observe takes 401 for gone',
    found,
    says: [/^observe answers undefined, though GET \/boxes\/1 was answered by HTTP 401/, gone],
    resource: ({ ask }) => ({
      async observe({ id }: BoxId, { signal }: Look) {
        const answer = await ask(`/boxes/${id}`, { signal, expected: 404 }).catch((error: Error) => {
          if (error.message.includes('401')) return undefined;
          throw error;
        });
        if (answer === undefined || answer.status === 404) return undefined;
        const box = (await answer.json()) as Box;
        if (box.id === undefined) throw new Error('no box');
        return stateOf(box);
      },
    }),
  },
  {
    what: 'find takes an answer without a list for an empty one',
    found,
    says: [
      /^find answers undefined, though GET \/boxes\S* was answered by an error in a body with status 200/,
      notRead('find', 'nothing'),
    ],
    resource: ({ ask }) => ({
      async find({ mark }: { mark: string }, { signal }: Look) {
        const answer = await ask(`/boxes?label=${encodeURIComponent(mark)}`, { signal });
        const { items = [] } = (await answer.json()) as { items?: readonly Box[] };
        return items[0] && { id: items[0].id };
      },
    }),
  },
  {
    what: 'create throws DefiniteError for what it cannot read',
    found,
    says: [
      /^call \d+ \(POST \/boxes\) was carried out and answered by a page of HTML/,
      /likely mistake: create threw DefiniteError when the answer to POST \/boxes was lost or could not be read/,
    ],
    resource: ({ ask }) => ({
      async create({ name, size, colour }: Wanted, { owner, signal }: Create) {
        const body = { name, size, colour, label: owner.mark };
        const answer = await ask('/boxes', { method: 'POST', body, signal, expected: 409 });
        const box = (await answer.json().catch(() => {
          throw new DefiniteError('the shop answered something else');
        })) as Box;
        if (answer.status === 409) throw new DefiniteError(`${name} is taken`);
        return { id: { id: box.id } };
      },
    }),
  },
  {
    what: 'a status below 400 counts as success',
    found,
    says: [/^update answers undefined, though PATCH \/boxes\/1 was answered by a redirect/, notDone('update')],
    tools: accepting((status) => status < 400),
  },
  {
    what: 'delete takes 409 for gone',
    found,
    says: [/^delete answers "gone", though DELETE \/boxes\/1 was answered by HTTP 409/, notDone('delete')],
    tools: accepting((status, { method }) => status === 409 && method === 'DELETE'),
  },
  {
    what: 'delete takes 423 for gone',
    found,
    says: [/^delete answers "gone", though DELETE \/boxes\/1 was answered by HTTP 423/, notDone('delete')],
    tools: accepting((status, { method }) => status === 423 && method === 'DELETE'),
  },
  {
    what: 'find stops at a page that it cannot read',
    found: 'find',
    identity: 'tag',
    says: [/^find answers undefined, though GET \/boxes\?page=1 was answered by HTTP 401/, notRead('find', 'nothing')],
    resource: (tools) => ({
      async find({ mark }: { mark: string }, { signal }: Look) {
        const box = await pages(tools, ({ label }) => label === mark, signal).catch((error: Error) => {
          if (/page=[1-9]/.test(error.message)) return undefined;
          throw error;
        });
        return box && { id: box.id };
      },
    }),
  },
  {
    what: 'find reads pages without a signal and without an end',
    found: 'find',
    identity: 'tag',
    says: [
      /^find never settles/,
      /likely mistake: pass context\.signal to each request; find has to end by its signal/,
    ],
    resource: (tools) => ({
      async find({ mark }: { mark: string }) {
        const box = await pages(tools, ({ label }) => label === mark);
        return box && { id: box.id };
      },
    }),
  },
];
