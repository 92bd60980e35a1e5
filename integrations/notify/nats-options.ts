/** Options of the integration for NATS and their validation. */

import { type OptionChecks, optionChecks } from '../option-checks.ts';
import {
  type AnnouncementOptions,
  announcementOptionNames,
  type CheckedAnnouncementOptions,
  checkedAnnouncementOptions,
} from './announcement-options.ts';
import type { AnnouncedEnvironment, AnnouncedEvent } from './announcements.ts';
import { type JetStream, jetStreamAt, type NatsCredential, type NatsTls } from './jetstream.ts';

/** Options of {@link natsMessages}. */
export interface NatsMessagesOptions extends AnnouncementOptions<Readonly<Record<string, unknown>>> {
  /** Addresses of the servers of one cluster: `host:port`, or with TLS `tls://host:port`. */
  readonly servers: readonly string[];
  /** Credential: a token, user and password, the text of a `.creds` file, or the seed of an nkey. @default none */
  readonly credential?: NatsCredential;
  /** Certificates as PEM; with this, also empty, connections without TLS are refused. @default the system's, where the server asks for TLS */
  readonly tls?: NatsTls;
  /** Stream that has to take the messages. */
  readonly stream: string;
  /** First words of the subjects `<prefix>.<namespace>.<workspace>.<event>`. @default 'environments' */
  readonly prefix?: string;
  /** ms for which the stream remembers ids of messages: its `duplicate_window` is that or more. @default 86 400 000 */
  readonly duplicateWindow?: number;
  /** Operations on the server, for tests. @default by the packages `@nats-io/transport-node` and `@nats-io/jetstream` */
  readonly operations?: JetStream;
}

/** Options with their defaults. */
export interface CheckedNatsOptions extends CheckedAnnouncementOptions<Readonly<Record<string, unknown>>> {
  readonly operations: JetStream;
  readonly secrets: readonly string[];
  readonly endpoints: readonly string[];
  readonly prefix: string;
  /** ms */
  readonly duplicateWindow: number;
}

const integration = 'natsMessages';
const { refuse, members, wholeNumber, headerSecret }: OptionChecks = optionChecks(integration);

const own = ['servers', 'credential', 'tls', 'stream', 'prefix', 'duplicateWindow', 'operations'];

function messageOf({ workspace, formerUids }: AnnouncedEnvironment, event: AnnouncedEvent) {
  const { namespace, name, uid } = workspace.metadata;
  return { event, namespace, name, uid, host: workspace.status?.host, ...(formerUids.length > 0 && { formerUids }) };
}

/** Port of a server whose address names none. */
const natsPort = 4222;

const serverPattern = /^((nats|tls):\/\/)?([\w.-]{1,253}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/i;

function checkedServers(servers: unknown): readonly string[] {
  const isList = Array.isArray(servers) && servers.length >= 1 && servers.length <= 32;
  if (!isList || !servers.every((server) => typeof server === 'string' && serverPattern.test(server)))
    refuse(
      'servers',
      'a list of 1 to 32 addresses host:port, nats://host:port or tls://host:port, without credentials',
    );
  return servers as readonly string[];
}

/** Returns the endpoint of a server, which `checkedServers` has found right. */
function endpointOfServer(server: string): string {
  const { hostname, port } = new URL(`tcp://${server.replace(/^\w+:\/\//, '')}`);
  return `tcp://${hostname}:${port || natsPort}`;
}

/** Members of a credential with the form that each must have. */
const credentialForms = {
  user: [
    (user: unknown) => typeof user === 'string' && /^[^\p{Cc}]{1,255}$/u.test(user),
    'a text of 1 to 255 characters',
  ],
  nkey: [(nkey: unknown) => /^S[A-Z2-7]{40,100}$/.test(String(nkey)), 'the seed of an nkey, SU…'],
  creds: [(creds: unknown) => String(creds).includes('-----BEGIN NATS USER JWT-----'), 'the text of a .creds file'],
} as const;

/** Checks a credential, and returns what of it is secret. */
function secretsOf(credential: NatsCredential): readonly string[] {
  members('credential', credential, ['token', 'user', 'password', 'creds', 'nkey']);
  const { token, user, password, creds, nkey } = credential;
  const ways = [token, user, creds, nkey].filter((way) => way !== undefined);
  if (ways.length > 1 || (user === undefined) !== (password === undefined))
    refuse('credential', 'one of { token }, { user, password }, { creds } and { nkey }');
  for (const [member, [isRight, expected]] of Object.entries(credentialForms)) {
    const value = credential[member as keyof typeof credentialForms];
    if (value !== undefined && !isRight(value)) refuse(`credential.${member}`, expected);
  }
  if (token !== undefined) headerSecret('credential.token', token);
  if (password !== undefined) headerSecret('credential.password', password);
  const seed = /\bSU[A-Z2-7]{40,100}\b/.exec(creds ?? '')?.[0];
  return [token, password, creds, nkey, seed].filter((secret) => secret !== undefined);
}

function checkTls(tls: NatsTls): void {
  members('tls', tls, ['ca', 'cert', 'key']);
  for (const [name, pem] of Object.entries(tls))
    if (typeof pem !== 'string' || !pem.includes('-----BEGIN ')) refuse(`tls.${name}`, 'a text in PEM');
}

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedNatsOptions(options: NatsMessagesOptions): CheckedNatsOptions {
  members('options', options, [...own, ...announcementOptionNames]);
  const { credential = {}, tls, stream, prefix = 'environments', duplicateWindow = 86_400_000 } = options;
  const servers = checkedServers(options.servers);
  const secrets = secretsOf(credential);
  if (tls !== undefined) checkTls(tls);
  if (typeof stream !== 'string' || !/^[\w-]{1,255}$/.test(stream))
    refuse('stream', 'the name of a stream: letters, digits, _ and -', stream ?? 'nothing');
  if (typeof prefix !== 'string' || !/^[\w-]{1,63}(\.[\w-]{1,63}){0,7}$/.test(prefix))
    refuse('prefix', 'up to 8 words of letters, digits, _ and -, with dots between them', prefix);
  const common = checkedAnnouncementOptions(integration, options, {
    condition: 'AnnouncedByNats',
    message: messageOf,
  });
  const { deadline } = common;
  return {
    ...common,
    operations: options.operations ?? jetStreamAt({ servers, credential, tls, stream, duplicateWindow, deadline }),
    secrets: tls?.key === undefined ? secrets : [...secrets, tls.key],
    endpoints: servers.map(endpointOfServer),
    prefix,
    duplicateWindow: wholeNumber('duplicateWindow', duplicateWindow, { min: 1_000, max: 2 ** 31 - 1 }),
  };
}
