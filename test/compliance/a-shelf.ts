import {
  ConfigMap,
  DefiniteError,
  defineIntegration,
  errorOf,
  type Integration,
  type ProviderController,
  pausedAnnotation,
  ThrottledError,
  Workspace,
} from '../../sdk/index.ts';
import type { CaseName, Host, Run } from './index.ts';

/** A book that somebody keeps. */
interface Book {
  readonly id: string;
  readonly title: string;
  readonly owner: string;
  stamped: boolean;
}

interface Ask {
  readonly signal?: AbortSignal;
}

/** A third party that keeps books; of one title there is one, unless it is added. */
export function aShelf() {
  const books: Book[] = [];
  let count = 0;
  const add = async (title: string, owner: string, _?: Ask): Promise<string> => {
    count += 1;
    books.push({ id: `book-${count}`, title, owner, stamped: false });
    return `book-${count}`;
  };
  const drop = (goes: (book: Book) => boolean): void => {
    for (const book of books.filter(goes)) books.splice(books.indexOf(book), 1);
  };
  return {
    books,
    add,
    /** The one book of an owner has this title from now on; undefined when it is somebody else's. */
    async keep(title: string, owner: string, _?: Ask): Promise<string | undefined> {
      const there = books.find((book) => book.title === title);
      if (there !== undefined && there.owner !== owner) return undefined;
      drop((book) => book.owner === owner && book.title !== title);
      return there?.id ?? add(title, owner);
    },
    async find(owner: string, _?: Ask): Promise<string | undefined> {
      return books.find((book) => book.owner === owner)?.id;
    },
    async stamp(id: string, _?: Ask): Promise<void> {
      for (const book of books) if (book.id === id) book.stamped = true;
    },
    async seize(title: string, _?: Ask): Promise<void> {
      drop((book) => book.title === title);
    },
    async remove(id: string, _?: Ask): Promise<void> {
      drop((book) => book.id === id);
    },
    async clear(owner: string, _?: Ask): Promise<void> {
      drop((book) => book.owner === owner);
    },
  };
}

/** The third party. */
export type Shelf = ReturnType<typeof aShelf>;

/** What must never be told. */
export const token = 'tok-6f1c';

const titleOf = ({ spec }: Workspace): string | undefined =>
  (spec.integrations?.shelf as { readonly title?: string } | undefined)?.title;

/** A plug-in that keeps one book for each workspace: right, but for one flaw. */
export function bookKeeper(shelf: Shelf, { client, clock, namespace }: Host, flaw?: CaseName): Integration {
  const sent = new Set<string>();

  const hold = async (title: string, owner: string, ask: Ask): Promise<string> => {
    const id = await shelf.keep(title, owner, ask);
    if (id !== undefined) return id;
    if (flaw !== 'rivals') throw new DefiniteError(`${title} is taken`);
    await shelf.seize(title, ask);
    return shelf.add(title, owner, ask);
  };
  /** As somebody would who remembers in the process what was sent. */
  const addOnce = async (title: string, owner: string, ask: Ask): Promise<string> => {
    const found = sent.has(owner) ? await shelf.find(owner, ask) : undefined;
    sent.add(owner);
    return found ?? shelf.add(title, owner, ask);
  };
  const place = async (title: string, owner: string, { isNew, ...ask }: Ask & { isNew: boolean }): Promise<string> => {
    try {
      if (flaw === 'completes') return (await shelf.find(owner, ask)) ?? 'none';
      return await (flaw === 'crash' && isNew ? addOnce : hold)(title, owner, ask);
    } catch (error) {
      if (flaw === 'throttled' && error instanceof ThrottledError) throw new DefiniteError('slow down');
      const lost = !(error instanceof DefiniteError || error instanceof ThrottledError) && !ask.signal?.aborted;
      if (flaw === 'ambiguous' && lost) return shelf.add(title, owner, ask);
      if (flaw === 'reports' && error instanceof DefiniteError) throw new ThrottledError('wait', 1_000);
      throw error;
    }
  };

  const reconcile = async (controller: ProviderController, title: string, owner: string) => {
    const same = controller.refs[0]?.title === title || flaw === 'follows';
    if (controller.condition.status === 'Completed' && same && flaw !== 'once') return;
    if (flaw === 'marks')
      await client.create(ConfigMap, { metadata: { name: 'notes', namespace } }).catch(() => undefined);
    const task = async ({ signal }: { readonly signal: AbortSignal }) => {
      const ask = flaw === 'signal' ? {} : { signal };
      const id = await place(title, owner, { ...ask, isNew: controller.refs.length === 0 });
      await shelf.stamp(id, ask).catch((error: unknown) => {
        if (flaw !== 'definite' || !(error instanceof DefiniteError)) throw errorOf(error);
      });
      const reason = flaw === 'secrets' ? `kept with ${token}` : 'kept';
      return { status: 'Completed', reason, refs: [{ id, title }] } as const;
    };
    await controller.guard('keeping a book', task, { op: 'create', identity: 'name' });
  };

  const terminate = (controller: ProviderController, owner: string) => {
    if (flaw === 'unreconciled' && controller.refs.length === 0) throw new TypeError('no book is known');
    return controller.guard(
      'putting the book away',
      async ({ signal, refs }) => {
        if (flaw === 'crash') for (const { id } of refs) await shelf.remove(String(id), { signal });
        else if (flaw !== 'cleans') await shelf.clear(owner, flaw === 'signal' ? {} : { signal });
        return { status: 'Terminated', reason: 'put away', refs: [] };
      },
      { op: 'delete', identity: 'name' },
    );
  };

  /** Minds the book behind everybody's back while its workspace is paused. */
  const mind = async ({ metadata }: Workspace): Promise<void> => {
    const key = { namespace, name: metadata.name };
    for (;;) {
      await clock.sleep(1_000);
      const now = await client.get(Workspace, key);
      if (now.metadata.annotations?.[pausedAnnotation] === 'true') await shelf.keep(titleOf(now)!, now.metadata.uid!);
    }
  };
  /** Works where it should only look. */
  const meddles = ({ status }: Workspace): boolean =>
    flaw === 'locked' && status?.guards?.Shelf?.holder === 'somebody/else';

  return defineIntegration({
    name: 'shelf',
    condition: 'Shelf',
    handles(workspace) {
      if (meddles(workspace)) void shelf.keep(titleOf(workspace)!, workspace.metadata.uid!);
      return titleOf(workspace) !== undefined || flaw === 'unasked';
    },
    connect: ({ workspace, controller }) => {
      const owner = workspace.metadata.uid!;
      if (flaw === 'paused') void mind(workspace).catch(() => undefined);
      return {
        reconcile: () => reconcile(controller, titleOf(workspace) ?? 'any', owner),
        terminate: () => terminate(controller, owner),
      };
    },
  });
}

/** Which run the plug-in is made for. */
export const keeperOf = ({ through }: Run, shelf: Shelf, { host, flaw }: { host: Host; flaw?: CaseName }) =>
  bookKeeper(through(shelf), host, flaw);
