import { DefiniteError } from '../../../../sdk/index.ts';
import type { Ask, BoxId, BoxResource, Tools } from '../a-box-plug-in.ts';
import type { Flaw } from '../flaw.ts';

const carriedOut = /^call \d+ \((POST|DELETE) .*\) was carried out and got no answer/;
const denies = (name: string) =>
  new RegExp(
    `likely mistake: ${name} threw DefiniteError when the answer to .* was lost, though that had been carried out`,
  );

/** A client whose requests end by a time-out of their own. */
const timedBy =
  (send: (right: Tools, path: string, ask: Ask) => ReturnType<Tools['ask']>) =>
  (right: Tools): Tools => ({ ...right, ask: (path, ask = {}) => send(right, path, ask) });

const late = (): never => {
  throw new DefiniteError('the shop does not answer');
};

/** Flaws in time-outs that an author sets. */
export const flawsOfDeadlines: readonly Flaw[] = [
  {
    what: 'the time-out of a signal is thrown as DefiniteError',
    found: 'signal',
    says: [carriedOut, denies('create')],
    tools: timedBy((right, path, { signal, ...ask }) => {
      const own = AbortSignal.timeout(30_000);
      return right.ask(path, { ...ask, signal: signal ? AbortSignal.any([signal, own]) : own }).catch((error) => {
        if (own.aborted) late();
        throw error;
      });
    }),
  },
  {
    what: 'a race with a timer is thrown as DefiniteError',
    found: 'signal',
    says: [carriedOut, denies('create')],
    tools: timedBy((right, path, ask) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const timeout = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new DefiniteError('the shop does not answer')), 30_000);
      });
      return Promise.race([right.ask(path, ask), timeout]).finally(() => clearTimeout(timer));
    }),
  },
  {
    what: 'a race with the clock is thrown as DefiniteError',
    found: 'signal',
    says: [carriedOut, denies('create')],
    tools: timedBy((right, path, ask) => Promise.race([right.ask(path, ask), right.clock.sleep(30_000).then(late)])),
  },
  {
    what: 'delete throws DefiniteError after a time of its own',
    found: 'signal',
    says: [carriedOut, denies('delete')],
    resource: ({ clock }, { delete: remove }) => ({
      delete: (id: BoxId, context: Parameters<BoxResource['delete']>[1]) =>
        Promise.race([remove(id, context), clock.sleep(30_000).then(late)]),
    }),
  },
];
