/** Options of the integration for mail servers and their validation. */

import { type Clock, isJsonObject, systemClock, unknownIn, type Workspace } from '../../sdk/index.ts';
import { endpointAt, isHost } from '../endpoints.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';
import { quoted } from '../quoted-text.ts';
import {
  type AnnouncementOptions,
  announcementOptionNames,
  type CheckedAnnouncementOptions,
  checkedAnnouncementOptions,
} from './announcement-options.ts';
import type { AnnouncedEnvironment, AnnouncedEvent } from './announcements.ts';
import { type MailAddress, type MailServer, type MailServerAddress, mailPortOf, mailServerAt } from './mail-server.ts';

/** Text of a mail. */
export interface MailText {
  /** One line: what is none, such as a line break, becomes a space. */
  readonly subject: string;
  readonly text: string;
}

/** Options of {@link smtpMessages}. */
export interface SmtpMessagesOptions extends AnnouncementOptions<MailText> {
  readonly server: MailServerAddress;
  /** Sender: an address, or one with the name that is shown. */
  readonly from: string | MailAddress;
  /** Recipients of the mails about all workspaces. @default none */
  readonly to?: readonly string[];
  /** Recipients that a workspace may name itself: addresses, or `@domain` for all of one. @default none */
  readonly workspaceRecipients?: readonly string[];
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Operations on the server, for tests. @default by the package `nodemailer` */
  readonly operations?: MailServer;
}

/** Options with their defaults. */
export interface CheckedSmtpOptions extends CheckedAnnouncementOptions<MailText> {
  readonly operations: MailServer;
  readonly secrets: readonly string[];
  readonly endpoints: readonly string[];
  readonly from: MailAddress;
  /** Returns the recipients of the mails about a workspace, or the mistake in those that it names. */
  readonly recipients: (workspace: Workspace) => readonly string[] | string;
}

/** Most recipients of a workspace's mails of each kind. */
const maxRecipients = 32;

const integration = 'smtpMessages';
const { refuse, members, wholeNumber, headerSecret }: OptionChecks = optionChecks(integration);

const own = ['server', 'from', 'to', 'workspaceRecipients', 'clock', 'operations'];

const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
const domainPattern = new RegExp(`^(${label}\\.){0,10}${label}$`, 'i');

/** Reports whether a text is an address as nearly all are: ASCII, without quotes, comments and spaces. */
export function isMailAddress(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 254) return false;
  const [local = '', domain = '', ...rest] = value.split('@');
  return rest.length === 0 && /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}$/.test(local) && domainPattern.test(domain);
}

const verbs = { came: 'is there', changed: 'has changed', went: 'is gone' } as const;

/** Returns the usual text of a mail. */
function textOf({ workspace: { metadata, status } }: AnnouncedEnvironment, event: AnnouncedEvent): MailText {
  const subject = `${metadata.namespace}/${metadata.name} ${verbs[event]}`;
  const at = status?.host === undefined || event === 'went' ? '' : ` at ${status.host}`;
  return { subject, text: `The environment ${subject}${at}.\n` };
}

function checkCredential({ user, password, security }: MailServerAddress): void {
  if ((user === undefined) !== (password === undefined)) refuse('server.user', 'given with a password, or neither');
  if (user !== undefined && security === 'none')
    refuse('server.user', "left out with security 'none': the password would go over the network as it is");
  if (user !== undefined && (typeof user !== 'string' || !/^[^\p{Cc}]{1,255}$/u.test(user)))
    refuse('server.user', 'a text of 1 to 255 characters');
  if (password !== undefined) headerSecret('server.password', password);
}

function checkedServer(server: MailServerAddress): MailServerAddress {
  members('server', server, ['host', 'port', 'security', 'user', 'password', 'ca']);
  const { host, port, security = 'starttls', ca } = server;
  if (!isHost(host)) refuse('server.host', 'a host', host ?? 'nothing');
  if (port !== undefined) wholeNumber('server.port', port, { min: 1, max: 65_535 });
  if (!['tls', 'starttls', 'none'].includes(security))
    refuse('server.security', "'tls', 'starttls' or 'none'", security);
  checkCredential(server);
  if (ca !== undefined && !String(ca).includes('-----BEGIN CERTIFICATE-----'))
    refuse('server.ca', 'certificates in PEM');
  return server;
}

function checkedFrom(from: string | MailAddress): MailAddress {
  const sender = typeof from === 'string' ? { name: '', address: from } : from;
  members('from', sender, ['name', 'address']);
  if (!isMailAddress(sender.address)) refuse('from', 'a mail address, or { name, address }', from ?? 'nothing');
  if (typeof sender.name !== 'string' || !/^[^\p{Cc}]{0,100}$/u.test(sender.name))
    refuse('from.name', 'a text of at most 100 characters', sender.name);
  return sender;
}

function addressList(option: string, value: unknown, isRight: (one: unknown) => boolean): readonly string[] {
  if (!Array.isArray(value) || value.length > maxRecipients)
    return refuse(option, `a list of at most ${maxRecipients} mail addresses`);
  const wrong = value.find((one) => !isRight(one));
  return wrong === undefined ? value : refuse(option, 'a list of mail addresses', wrong);
}

const isAllowance = (value: unknown): boolean =>
  isMailAddress(value) || (typeof value === 'string' && value.startsWith('@') && domainPattern.test(value.slice(1)));

/** Returns the function that returns the recipients of a workspace's mails. */
function recipientsOf(
  name: string,
  to: readonly string[],
  allowed: readonly string[],
): CheckedSmtpOptions['recipients'] {
  const may = new Set(allowed.map((one) => one.toLowerCase()));
  const isAllowed = (one: string): boolean => {
    const address = one.toLowerCase();
    return may.has(address) || may.has(address.slice(address.indexOf('@')));
  };
  return ({ spec }) => {
    const requested: unknown = spec.integrations?.[name] ?? {};
    const at = `spec.integrations.${name}`;
    if (!isJsonObject(requested)) return `${at} must be an object; found ${quoted(requested)}`;
    const unknown = unknownIn(requested, allowed.length > 0 ? ['to'] : [], `${at}.`);
    if (unknown !== undefined) return unknown.slice(0, 300);
    const { to: named = [] } = requested as { readonly to?: unknown };
    if (!Array.isArray(named) || named.length > maxRecipients)
      return `${at}.to must be a list of at most ${maxRecipients} mail addresses; found ${quoted(named)}`;
    const wrong = named.find((one) => !isMailAddress(one) || !isAllowed(one));
    if (wrong !== undefined)
      return `${at}.to must hold mail addresses that option workspaceRecipients allows; found ${quoted(wrong)}`;
    const all = [...new Set([...to, ...(named as readonly string[])])];
    return all.length > 0 ? all : `${at}.to must name a recipient, since option to names none`;
  };
}

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedSmtpOptions(options: SmtpMessagesOptions): CheckedSmtpOptions {
  members('options', options, [...own, ...announcementOptionNames]);
  const server = checkedServer(options.server);
  const from = checkedFrom(options.from);
  const { clock = systemClock } = options;
  const to = addressList('to', options.to ?? [], isMailAddress);
  const allowed = addressList('workspaceRecipients', options.workspaceRecipients ?? [], isAllowance);
  if (to.length + allowed.length === 0)
    refuse('to', 'a list of at least one mail address, unless workspaceRecipients has one');
  const common = checkedAnnouncementOptions(integration, options, { condition: 'AnnouncedByMail', message: textOf });
  return {
    ...common,
    operations: options.operations ?? mailServerAt({ server, deadline: common.deadline, clock }),
    secrets: server.password === undefined ? [] : [server.password],
    endpoints: [endpointAt({ host: server.host, port: mailPortOf(server) })],
    from,
    recipients: recipientsOf(common.name, to, allowed),
  };
}
