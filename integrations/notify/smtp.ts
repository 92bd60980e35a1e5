/** Integration that notifies people of environments, by mail. */

import { DefiniteError, type Integration } from '../../sdk/index.ts';
import { type AnnouncementSetup, announcing } from './announcements.ts';
import type { Mail } from './mail-server.ts';
import {
  type CheckedSmtpOptions,
  checkedSmtpOptions,
  type MailText,
  type SmtpMessagesOptions,
} from './smtp-options.ts';

export type { AnnouncementMessage, AnnouncementOptions } from './announcement-options.ts';
export type { AnnouncedEnvironment, AnnouncedEvent } from './announcements.ts';
export type { NotifyOptions } from './common-options.ts';
export type { Mail, MailAddress, MailServer, MailServerAddress, TakenMail } from './mail-server.ts';
export type { MailText, SmtpMessagesOptions } from './smtp-options.ts';

/** Longest subject, and longest text, in characters. */
const [maxSubjectLength, maxTextLength] = [400, 65_536];

/** Characters that end a line or turn the direction of what follows: none of them is in a subject. */
const control = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Checks a text. @throws DefiniteError naming what is wrong with the answer of option `message` */
function checkedText(message: MailText): MailText {
  const { subject, text } = Object(message) as Partial<MailText>;
  const expected = 'option message of smtpMessages must return { subject, text }, both texts';
  if (typeof subject !== 'string' || typeof text !== 'string') throw new DefiniteError(expected);
  const line = subject
    .slice(0, maxSubjectLength * 4)
    .replaceAll(control, ' ')
    .trim();
  if (line === '' || line.length > maxSubjectLength)
    throw new DefiniteError(`${expected}, the subject of 1 to ${maxSubjectLength} characters, not ${line.length}`);
  if (text.length > maxTextLength)
    throw new DefiniteError(`${expected}, the text of at most ${maxTextLength} characters, not ${text.length}`);
  return { subject: line, text: text.replaceAll(/[^\P{Cc}\n\t]/gu, '') };
}

const setupOf = ({ operations, from, recipients, message, changes }: CheckedSmtpOptions): AnnouncementSetup => ({
  identity: { identity: 'opaque' },
  changes,
  mistakeIn(workspace) {
    const to = recipients(workspace);
    return typeof to === 'string' ? to : undefined;
  },
  async send({ event, key, signal, ...environment }) {
    const to = recipients(environment.workspace);
    if (typeof to === 'string') throw new DefiniteError(to);
    const messageId = `<${key}@${from.address.slice(from.address.indexOf('@') + 1)}>`;
    const mail: Mail = { from, to, ...checkedText(message(environment, event)), messageId };
    const { refused } = await operations.send(mail, signal);
    return { id: messageId, ...(refused.length > 0 && { remark: `refused for ${refused.join(', ')}` }) };
  },
});

/**
 * Sends a mail when the environment of a workspace came, has changed or went. Needs the package `nodemailer`.
 * @throws TypeError naming the missing, invalid or unknown option
 */
export function smtpMessages(options: SmtpMessagesOptions): Integration {
  const checked = checkedSmtpOptions(options);
  return announcing(checked, setupOf(checked));
}
