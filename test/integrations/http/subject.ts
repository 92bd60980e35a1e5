/** Compliance subject of `httpHooks`. */

import { type HttpHooksOptions, httpHooks } from '../../../integrations/http/index.ts';
import { type Failures, httpFailures, type Run, type Subject } from '../../compliance/index.ts';

/** Secret of the stand-in. */
export const secret = `whsec_${Buffer.from('a key that nobody else may see!!').toString('base64')}`;

/** Options of a plug-in for boxes. */
export const boxOptions: HttpHooksOptions = {
  name: 'acme-box',
  condition: 'Box',
  url: 'https://hooks.test/boxes',
  secret,
  identity: 'name',
};

const refused = (status: number, effect: 'none' | 'unknown') =>
  Response.json({ error: { effect, message: `the kit says ${status}` } }, { status });

/** Failures of a server of hooks: what a proxy in front of it says, and an answer cut short or of another protocol, tell nothing about the effect. */
export const hooksFailures: Failures = {
  ...httpFailures,
  definite: [() => refused(403, 'none'), () => refused(400, 'none')],
  ambiguous: [
    ...[httpFailures.ambiguous ?? []].flat(),
    () => refused(403, 'unknown'),
    () => new Response('<h1>403</h1>', { status: 403 }),
    () => new Response('{"id":{"id":', { status: 200 }),
    () => Response.json({ surprise: true }),
  ],
};

/** Compliance subject, for any server of boxes. */
export const subject: Omit<Subject, 'start' | 'identity'> = {
  spec: { integrations: { 'acme-box': { size: 1, color: 'red' } } },
  edited: { integrations: { 'acme-box': { size: 2, color: 'blue' } } },
  sameName: 'separate',
  drift: 'mended',
  failures: hooksFailures,
  secrets: [secret],
};

/** Integration of one run. */
export const integrationOf = ({ fetch, clock }: Run, options: Partial<HttpHooksOptions>) =>
  httpHooks({ ...boxOptions, driftInterval: 60_000, fetch, clock, ...options });
