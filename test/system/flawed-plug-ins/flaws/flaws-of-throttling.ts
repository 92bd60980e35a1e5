import { errorOfResponse, ThrottledError } from '../../../../sdk/index.ts';
import type { Tools } from '../a-box-plug-in.ts';
import type { Flaw } from '../flaw.ts';

const inMs = /likely mistake: .*ThrottledError takes ms/;
const early = /was throttled: [A-Z]+ \/boxes\S*: Retry-After was 2000 ms, and it is called again after/;

/** A client that makes errors of 429 and 503 by itself. */
const throttledBy =
  (retryAfterOf: (answer: Response) => number) =>
  (right: Tools): Tools => ({
    ...right,
    async ask(path, { expected, ...ask } = {}) {
      const answer = await right.send(path, ask);
      if (answer.ok || answer.status === expected) return answer;
      if (answer.status === 429 || answer.status === 503) throw new ThrottledError('slow down', retryAfterOf(answer));
      throw errorOfResponse(answer, `${path}: HTTP ${answer.status}`, right.clock.now());
    },
  });

/** Flaws in the handling of third parties that throttle. */
export const flawsOfThrottling: readonly Flaw[] = [
  {
    what: 'the seconds of Retry-After are taken for ms',
    found: 'throttled',
    says: [early, inMs],
    tools: throttledBy((answer) => Number(answer.headers.get('retry-after'))),
  },
  {
    what: 'the wait is read from a header that is not there',
    found: 'throttled',
    says: [early, inMs],
    tools: throttledBy((answer) => Number.parseInt(answer.headers.get('x-ratelimit-reset') ?? '', 10)),
  },
  {
    what: 'the client sends again at once',
    found: 'throttled',
    says: [early, /likely mistake: .*send nothing again by yourself, by a loop or by options of a client/],
    tools: (right) => ({
      ...right,
      async ask(path, ask) {
        for (let tries = 0; tries < 3; tries += 1) {
          const answer = await right.ask(path, ask).catch((error: unknown) => {
            if (!(error instanceof ThrottledError)) throw error;
          });
          if (answer !== undefined) return answer;
        }
        return right.ask(path, ask);
      },
    }),
  },
  {
    what: 'update is tried five times at once',
    found: 'outage',
    says: [
      /^PATCH \/boxes\/1: Retry-After was 2000 ms, and it is called again after 0 ms/,
      /likely mistake: .*send nothing again by yourself, by a loop or by options of a client/,
    ],
    resource: (_, { update }) => ({
      async update(...args: Parameters<NonNullable<typeof update>>) {
        let last: unknown;
        for (let tries = 0; tries < 5; tries += 1)
          try {
            return await update?.(...args);
          } catch (error) {
            last = error;
          }
        throw last;
      },
    }),
  },
];
