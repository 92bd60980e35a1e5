/** Compliance subject of `httpHooks`. */

import { type HttpHooksOptions, httpHooks } from '../../../../integrations/http/index.ts';
import { hooksFailures } from '../../../../sequencer/cli/prove/hooks-subject.ts';
import type { IntegrationContext, Subject } from '../../../compliance/index.ts';

/** Secret of the stand-in. */
export const secret = `whsec_${Buffer.from('a key that is kept a secret!!').toString('base64')}`;

/** Options of a plug-in for boxes. */
export const boxOptions: HttpHooksOptions = {
  name: 'acme-box',
  condition: 'Box',
  url: 'https://hooks.test/boxes',
  secret,
  identity: 'name',
};

/** Compliance subject, for any server of boxes. */
export const subject: Omit<Subject, 'start' | 'identity'> = {
  spec: { integrations: { 'acme-box': { size: 1, color: 'red' } } },
  edited: { integrations: { 'acme-box': { size: 2, color: 'blue' } } },
  sameName: 'separate',
  drift: 'fixed',
  failures: hooksFailures,
  secrets: [secret],
};

/** Integration of one run. */
export const integrationOf = ({ fetch, clock }: IntegrationContext, options: Partial<HttpHooksOptions>) =>
  httpHooks({ ...boxOptions, driftInterval: 60_000, fetch, clock, ...options });
