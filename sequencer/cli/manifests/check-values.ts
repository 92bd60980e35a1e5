/** Checks of the values of `sequencer manifests` that an API server, or the operator itself, would refuse later. */

import { UserError } from '../../../sdk/index.ts';
import { metricsPortNumber, webhookPort } from './manifest.ts';

const refuse = (message: string): UserError =>
  new UserError('E#2001', `sequencer manifests: ${message}`, { hint: 'sequencer manifests --help' });

/** Returns the name of a namespace; undefined without one. @throws UserError E#2001 for one that no namespace has */
export function checkedNamespace(option: string, text: string | undefined): string | undefined {
  if (text === undefined || (text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text))) return text;
  throw refuse(`--${option} needs a name of at most 63 of a-z, 0-9 and -, such as team-a; found "${text}"`);
}

/** @throws UserError E#2001 for a port of the page that pods have for another part, or 0, which is another port in each pod */
export function checkPagePort(page: number, hasWebhook: boolean): void {
  if (page === 0) throw refuse('--page needs a port from 1 to 65535; found "0"');
  if (page === metricsPortNumber) throw refuse(`--page needs another port: ${page} is that of the metrics`);
  if (hasWebhook && page === webhookPort.containerPort)
    throw refuse(`--page needs another port: ${page} is that of the webhook`);
}
