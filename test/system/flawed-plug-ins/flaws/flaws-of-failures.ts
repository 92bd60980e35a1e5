import { DefiniteError, messageOf, ThrottledError } from '../../../../sdk/index.ts';
import { type BoxResource, token, type Wanted } from '../a-box-plug-in.ts';
import type { Flaw } from '../flaw.ts';

const deniesLost =
  /likely mistake: (create|delete) threw (Definite|Throttled)Error when the answer to .* was lost, though that had been carried out: throw the error itself/;
const tells = /likely mistake: ids, reasons, names, messages and logs are read by many: encoding hides nothing/;
const carriedOut = /^call \d+ \((POST|DELETE) .*\) was carried out and its answer lost/;

const flawsOfErrors: readonly Flaw[] = [
  {
    what: 'a request without an answer is thrown as DefiniteError',
    found: 'ambiguous',
    says: [carriedOut, deniesLost],
    tools: (right) => ({
      ...right,
      ask: (path, ask) =>
        right.ask(path, ask).catch((error: Error) => {
          throw error.cause === undefined ? error : new DefiniteError(error.message);
        }),
    }),
  },
  {
    what: 'every status from 400 is thrown as DefiniteError',
    found: 'ambiguous',
    says: [carriedOut, deniesLost],
    tools: (right) => ({
      ...right,
      async ask(path, { expected, ...ask } = {}) {
        const answer = await right.send(path, ask);
        if (!answer.ok && answer.status !== expected) throw new DefiniteError(`HTTP ${answer.status}`);
        return answer;
      },
    }),
  },
  {
    what: 'a time-out is thrown as ThrottledError',
    found: 'ambiguous',
    says: [carriedOut, deniesLost],
    tools: (right) => ({
      ...right,
      async ask(path, { expected, ...ask } = {}) {
        const answer = await right.send(path, ask).catch((error: Error) => {
          throw error.name === 'TimeoutError' ? new ThrottledError('slow', 1_000) : error;
        });
        if (!answer.ok && answer.status !== expected) throw new Error(`HTTP ${answer.status}`);
        return answer;
      },
    }),
  },
  {
    what: 'delete answers "deleting" for whatever goes wrong',
    found: 'reports',
    says: [
      /^its removal was refused, and the condition is not Error: Deleting, In Progress/,
      /likely mistake: a removal that fails is reported by its error.*\n {2}likely mistake: delete answered "deleting" each time/,
    ],
    resource: (_, { delete: remove }) => ({
      delete: (...args: Parameters<typeof remove>) => remove(...args).catch(() => 'deleting' as const),
    }),
  },
  {
    what: 'every failure is thrown as ThrottledError',
    found: 'reports',
    subject: { limits: { settle: 60_000 } },
    says: [
      /^everything is refused, and the condition is not Error: Waiting/,
      /likely mistake: a refusal is not distinguished from other failures/,
    ],
    tools: (right) => ({
      ...right,
      ask: (path, ask) =>
        right.ask(path, ask).catch((error: Error) => {
          throw new ThrottledError(error.message, 1_000);
        }),
    }),
  },
  {
    what: '429 is thrown as DefiniteError',
    found: 'throttled',
    says: [
      /^the third party throttles, and the condition is not Waiting: Error/,
      /likely mistake: throttling is not distinguished from other failures/,
    ],
    tools: (right) => ({
      ...right,
      ask: (path, ask) =>
        right.ask(path, ask).catch((error: Error) => {
          throw error instanceof ThrottledError ? new DefiniteError(error.message) : error;
        }),
    }),
  },
  {
    what: 'requests have no signal',
    found: 'signal',
    says: [
      /^call 1 \(POST \/boxes\) got no answer: it was made without a signal/,
      /likely mistake: a request that is not waited for any more .*pass context\.signal/,
    ],
    tools: (right) => ({ ...right, ask: (path, { signal: _, ...ask } = {}) => right.ask(path, ask) }),
  },
  {
    what: 'requests have a signal of their own',
    found: 'signal',
    says: [
      /^call 1 \(POST \/boxes\) got no answer: its signal never aborted/,
      /pass context\.signal, not one of your own/,
    ],
    tools: (right) => ({
      ...right,
      ask: (path, ask) => right.ask(path, { ...ask, signal: new AbortController().signal }),
    }),
  },
];

const withReason =
  (reason: string) =>
  (_: unknown, { create }: BoxResource) => ({
    create: (wanted: Wanted, context: Parameters<typeof create>[1]) =>
      create(wanted, context).then((made) => ({ ...made, id: { ...made.id, by: reason } })),
  });

const flawsOfSecrets: readonly Flaw[] = [
  {
    what: 'an id has the token in base64 in it',
    found: 'secrets',
    says: [/^a secret appears in base64 in what is written of the workspace: .*<secret>/, tells],
    resource: withReason(Buffer.from(`boxes:${token}`).toString('base64')),
  },
  {
    what: 'an id has the token in base64 for URLs in it',
    found: 'secrets',
    says: [/^a secret appears in base64 in what is written of the workspace/, tells],
    resource: withReason(Buffer.from(token).toString('base64url')),
  },
  {
    what: 'an id has the token in hex in it',
    found: 'secrets',
    says: [/^a secret appears in hex in what is written of the workspace/, tells],
    resource: withReason(Buffer.from(token).toString('hex')),
  },
  {
    what: 'an id is a URL with the token in it',
    found: 'secrets',
    says: [/^a secret appears URL-encoded in what is written of the workspace/, tells],
    resource: withReason(`https://boxes.example/?auth=${encodeURIComponent(token)}`),
  },
  {
    what: 'an error says with which token',
    found: 'secrets',
    says: [/^a secret appears as it is in what is written of the workspace/, tells],
    tools: (right) => ({
      ...right,
      ask: (path, ask) =>
        right.ask(path, ask).catch((error: unknown) => {
          throw new DefiniteError(`${messageOf(error)} (${token})`);
        }),
    }),
  },
  {
    what: 'the cause of an error says with which token',
    found: 'secrets',
    says: [/^a secret appears as it is in an error it throws/, tells],
    tools: (right) => ({
      ...right,
      ask: (path, ask) =>
        right.ask(path, ask).catch((error: unknown) => {
          throw new DefiniteError(messageOf(error), { cause: new Error(`Bearer ${token}`) });
        }),
    }),
  },
  {
    what: 'the token is logged',
    found: 'secrets',
    says: [/^a secret appears as it is in what it prints/, tells],
    tools: (right) => ({
      ...right,
      ask(path, ask) {
        process.stderr.write(`${path} by ${token}\n`);
        return right.ask(path, ask);
      },
    }),
  },
  {
    what: 'a secret that create answers is in the id as well',
    found: 'secrets',
    says: [/^a secret appears as it is in what is written of the workspace/, tells],
    subject: { secrets: [] },
    resource: (_, { create }) => ({
      create: async (...args: Parameters<typeof create>) => {
        const made = await create(...args);
        return { id: { ...made.id, pass: 'open-sesame' }, secret: { pass: 'open-sesame' } };
      },
      secretOf: async () => ({ pass: 'open-sesame' }),
    }),
  },
];

/** Flaws in the handling of errors and secrets. */
export const flawsOfFailures: readonly Flaw[] = [...flawsOfErrors, ...flawsOfSecrets];
