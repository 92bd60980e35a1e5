/** Compliance subject of `smtpMessages`. */

import {
  type AnnouncedEnvironment,
  type Mail,
  type MailServer,
  type MailText,
  type SmtpMessagesOptions,
  smtpMessages,
} from '../../../../integrations/notify/smtp.ts';
import { DefiniteError, ThrottledError, type Workspace } from '../../../../sdk/index.ts';
import type { Run, Subject } from '../../../compliance/index.ts';
import type { ReadMessage } from './a-reader.ts';

/** Password that servers of the kit know. */
export const password = 'a-password-that-nobody-else-may-see';

const allowed = ['red@example.test', 'blue@example.test'];
const spec = (to: string) => ({ integrations: { 'announced-by-mail': { to: [to] } } });

const namedBy = ({ spec: { integrations } }: Workspace): string =>
  String((integrations?.['announced-by-mail'] as { readonly to?: unknown } | undefined)?.to ?? 'nobody');

/** Mail whose text {@link readMail} reads; what went is told in no more words. */
const message = ({ workspace, formerUids }: AnnouncedEnvironment, event: string): MailText => {
  const what = event === 'went' ? '' : `${workspace.metadata.name} for ${namedBy(workspace)}`;
  const read: ReadMessage = { event, uid: workspace.metadata.uid ?? '', formerUids, what };
  return { subject: `${workspace.metadata.name}: ${event}`, text: JSON.stringify(read) };
};

/** Reads a mail of the tests. */
export const readMail = ({ text }: Pick<Mail, 'text'>): ReadMessage => JSON.parse(text);

/** Compliance subject, for any server. */
export const subject: Omit<Subject, 'start'> = {
  identity: 'opaque',
  spec: spec(allowed[0]!),
  edited: spec(allowed[1]!),
  sameName: 'separate',
  failures: {
    definite: () => new DefiniteError('SMTP: 554 not wanted'),
    ambiguous: () => new Error('SMTP: connection closed'),
    throttled: () => new ThrottledError('SMTP: 451 later', 2_000),
  },
  secrets: [password],
};

/** Integration of one run; each operation on the server is a call. */
export const integrationOf = (
  { through, clock }: Run,
  operations: MailServer,
  options: Partial<SmtpMessagesOptions> = {},
) =>
  smtpMessages({
    server: { host: 'mail.example.test', user: 'sequencer', password },
    from: 'sequencer@example.test',
    workspaceRecipients: allowed,
    message,
    changes: namedBy,
    clock,
    ...options,
    operations: through(operations),
  });
