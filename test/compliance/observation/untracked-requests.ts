/** Requests of an integration's functions that do not pass through the kit: by `node:http`, by undici, or by a `fetch` kept in a variable. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { byIntegration } from './tracked-timers.ts';

/** Records a request as a mistake of the integration's function that made it, if any. */
function note(method: string, address: string): void {
  const by = byIntegration();
  by?.mistakes.add(
    `${by.name} sends ${method} ${address} past the kit, which neither records that request nor injects faults into it, so that nothing is proved about it: send it by run.fetch, also in place of a fetch that a module has kept; where a client of its own sends it, pass that client to run.through(client)`,
  );
}

/** Records a request of undici, which the global `fetch` uses. */
const onUndici = (message: unknown): void => {
  const { method, origin, path } = (message as { readonly request: Record<'method' | 'origin' | 'path', unknown> })
    .request;
  note(String(method), `${origin}${String(path).split('?')[0]}`);
};

/** Records a request of `node:http` or `node:https`. */
const onNode = (message: unknown): void => {
  const { method, protocol, host, path } = (
    message as { readonly request: Record<'method' | 'protocol' | 'host' | 'path', unknown> }
  ).request;
  note(String(method), `${protocol}//${host}${String(path).split('?')[0]}`);
};

const channels = [
  ['undici:request:create', onUndici],
  ['http.client.request.created', onNode],
] as const;

const users = { count: 0 };

/** Records requests that do not pass through the kit as mistakes. @returns function that ends it */
export function trackUnseenRequests(): () => void {
  if (users.count === 0) for (const [channel, listener] of channels) subscribe(channel, listener);
  users.count += 1;
  return () => {
    users.count -= 1;
    if (users.count === 0) for (const [channel, listener] of channels) unsubscribe(channel, listener);
  };
}
