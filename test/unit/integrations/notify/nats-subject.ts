/** Compliance subject of `natsMessages`. */

import {
  type AnnouncedEnvironment,
  type JetStream,
  type NatsMessagesOptions,
  natsMessages,
} from '../../../../integrations/notify/nats.ts';
import { DefiniteError, ThrottledError, type Workspace } from '../../../../sdk/index.ts';
import type { Run, Subject } from '../../../compliance/index.ts';
import type { ReadMessage } from './a-reader.ts';

/** Password that servers of the kit know. */
export const password = 'a-password-that-nobody-else-may-see';

const spec = (team: string) => ({ integrations: { 'announced-by-nats': { team } } });

const teamOf = ({ spec: { integrations } }: Workspace): string =>
  String((integrations?.['announced-by-nats'] as { readonly team?: unknown } | undefined)?.team ?? 'none');

/** Message that {@link ReadMessage} reads; what went is told in no more words. */
const message = (
  { workspace, formerUids }: AnnouncedEnvironment,
  event: string,
): ReadMessage & Readonly<Record<string, unknown>> => ({
  event,
  formerUids,
  uid: workspace.metadata.uid ?? '',
  what: event === 'went' ? '' : `${workspace.metadata.name} of ${teamOf(workspace)}`,
});

/** Compliance subject, for any server. */
export const subject: Omit<Subject, 'start'> = {
  identity: 'key',
  spec: spec('red'),
  edited: spec('blue'),
  sameName: 'separate',
  failures: {
    definite: () => new DefiniteError('NATS: permissions violation'),
    ambiguous: () => new Error('NATS: connection closed'),
    throttled: () => new ThrottledError('later', 2_000),
  },
  secrets: [password],
};

/** Integration of one run; each operation on the server is a call. */
export const integrationOf = ({ through }: Run, operations: JetStream, options: Partial<NatsMessagesOptions> = {}) =>
  natsMessages({
    servers: ['nats.example.test:4222'],
    credential: { user: 'sequencer', password },
    stream: 'ENVIRONMENTS',
    message,
    changes: teamOf,
    ...options,
    operations: through(operations),
  });
