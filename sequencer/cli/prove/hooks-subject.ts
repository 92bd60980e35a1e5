/** Compliance subject of a server of hooks, from the server's own description. */

import { randomUUID } from 'node:crypto';
import {
  fetchWithCa,
  type HooksClient,
  type HooksDescription,
  type HttpHooksOptions,
  hooksClient,
  httpHooks,
} from '../../../integrations/http/index.ts';
import { messageOf, UserError } from '../../../sdk/index.ts';
import { type Failures, httpFailures, type IntegrationContext, type Subject } from '../../../test/compliance/index.ts';

/** Server to prove. */
export interface ProvedServer {
  readonly url: string;
  readonly secret: string;
  /** CA certificates as PEM, instead of the system's. @default the system's */
  readonly ca?: string | undefined;
  /** @default 'real' */
  readonly time?: 'real' | 'virtual';
  /** Lease in ms, a multiple of 1000. @default the kit's */
  readonly lease?: number | undefined;
  /** Settings of a workspace. @default as the server names it */
  readonly wanted?: Readonly<Record<string, unknown>> | undefined;
  /** Its settings after an edit. @default as the server names it */
  readonly edited?: Readonly<Record<string, unknown>> | undefined;
  /** Each workspace requests two external objects, with names. @default false */
  readonly several?: boolean | undefined;
  /** Ends the request for the description. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** Member of `spec.integrations` while a server is proved. */
const name = 'proved';

const refused = (effect: 'none' | 'unknown') => () =>
  Response.json({ error: { effect, message: 'refused by the kit' } }, { status: 403 });

/** Failures of a server of hooks. After the error page of a proxy, and a truncated or invalid response, the effect is unknown. */
export const hooksFailures: Failures = {
  ...httpFailures,
  definite: refused('none'),
  ambiguous: [
    ...[httpFailures.ambiguous ?? []].flat(),
    refused('unknown'),
    () => new Response('<h1>403 Forbidden</h1>', { status: 403 }),
    () => new Response('{"id":{"id":'),
    () => Response.json({ surprise: true }),
  ],
};

/** Signal of the requests that a case makes, which end by their timeout. */
const { signal: never } = new AbortController();

/** Requests the description of a server. @throws UserError E#2070 without a valid one, or if the server was not started for proofs */
async function describe(
  client: HooksClient,
  url: string,
  signal: AbortSignal,
): Promise<Required<Pick<HooksDescription, 'testing'>> & HooksDescription> {
  const description = await client.call('describe', {}, signal).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new UserError('E#2070', `${url} does not answer describe: ${messageOf(cause)}`, {
      hint: 'check that it runs, and that HOOKS_SECRET is the secret that it was started with',
      cause,
    });
  });
  const { testing } = description;
  if (testing !== undefined) return { ...description, testing };
  throw new UserError('E#2070', `${url} was not started for a proof: describe returns no member testing`, {
    hint: 'it has to answer testList, testDrift and testReset, and to keep the objects of each path apart; never test a server in use',
  });
}

/** Returns the options from the server's description. */
const optionsOf = ({ identity, functions, validForMs, label }: HooksDescription) => ({
  name,
  condition: 'Proved',
  identity,
  functions: functions.filter((one) => !['find', 'findAll'].includes(one) || identity !== 'opaque'),
  ...(label !== undefined && { label }),
  ...(identity === 'key' && validForMs !== undefined && { validForMs }),
});

const specOf = (wanted: Readonly<Record<string, unknown>>, several: boolean) => ({
  integrations: { [name]: several ? ['first', 'second'].map((one) => ({ ...wanted, name: one })) : wanted },
});

/** Returns the third party of one life, with a unique path for all functions. */
async function startAt(
  options: HttpHooksOptions,
  { driftInterval, ...trusting }: { readonly driftInterval: number; readonly fetch?: typeof globalThis.fetch },
) {
  const { url, secret } = options;
  const client = hooksClient({ name, url, secret, ...trusting });
  const reset = async () => void (await client.call('testReset', {}, never));
  await reset();
  return {
    ...trusting,
    // Signatures use the machine's time even in virtual time, since the server has no other clock.
    integration: ({ fetch, clock }: IntegrationContext) =>
      httpHooks({ ...options, fetch, driftInterval, clock: { ...clock, now: () => Date.now() } }),
    remote: async () => (await client.call('testList', {}, never)).things,
    causeDrift: async () => void (await client.call('testDrift', {}, never)),
    close: reset,
  };
}

/**
 * Requests the description of a server, and returns the subject to prove; each life has a unique path below the server's address.
 * @throws UserError E#2070 without a description, or if the server was not started for proofs; TypeError naming the wrong option
 */
export async function hooksSubject(server: ProvedServer): Promise<Subject> {
  const { secret, time = 'real', lease, ca, several = false, signal = never } = server;
  const url = server.url.replace(/\/+$/, '');
  const description = await describe(hooksClient({ name, url, secret, ...(ca !== undefined && { ca }) }), url, signal);
  const trusting = ca === undefined ? {} : { fetch: fetchWithCa(ca) };
  const { wanted, edited, sameName } = { ...description.testing, ...(server.wanted && { wanted: server.wanted }) };
  const changed = server.edited ?? edited;
  const options = { ...optionsOf(description), secret, several };
  httpHooks({ ...options, url }); // refuses an invalid description before the first life
  return {
    identity: description.identity,
    spec: specOf(wanted, several),
    ...(changed !== undefined && { edited: specOf(changed, several) }),
    ...(sameName !== undefined && { sameName }),
    ...(description.functions.includes('observe') && { drift: 'fixed' }),
    ...(lease !== undefined && { limits: { lease, settle: lease * 30 } }),
    failures: hooksFailures,
    secrets: [secret],
    time,
    start: () =>
      startAt(
        { ...options, url: `${url}/${randomUUID()}` },
        { driftInterval: time === 'real' ? 2_000 : 60_000, ...trusting },
      ),
  };
}
