/** Options of the integration for servers in any language, and their validation. */

import {
  type Clock,
  isJsonObject,
  type OutputDeclarations,
  type RateLimits,
  systemClock,
  type Workspace,
} from '../../sdk/index.ts';
import { fetchWithCa, isCertificate } from '../fetch-with-ca.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';
import { namesAsked, patternIn } from './settings.ts';
import { signingKeyOf } from './signature.ts';

/** Optional function of a server. */
export type HookFunction = 'find' | 'findAll' | 'observe' | 'update' | 'secretOf' | 'replaceMark';

/** Address, credential and bounds of a server. */
export interface HooksClientOptions {
  /** Name of the server, for messages. */
  readonly name: string;
  /** Address that all functions are POSTed to. */
  readonly url: string;
  /** Key that requests are signed with, `whsec_` and 24 to 64 bytes in base64; up to four of them while one replaces another. */
  readonly secret: string | readonly string[];
  /** CA certificates as PEM, instead of the system's. @default the system's */
  readonly ca?: string;
  /** ms until a request fails. @default 10 000 */
  readonly deadline?: number;
  /** Most requests at a time, for all workspaces together. @default 4 */
  readonly concurrency?: number;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** @default the system clock */
  readonly clock?: Clock;
}

/** Options of {@link httpHooks}. */
export interface HttpHooksOptions extends HooksClientOptions {
  /** Name of the integration, and member of `spec.integrations` that requests it: a DNS label. */
  readonly name: string;
  /** Condition of the integration. */
  readonly condition: string;
  /** Conditions that must be `Completed` or `Healthy` before. @default [] */
  readonly after?: readonly string[];
  /** Kind of the external object, for messages. @default `name` */
  readonly label?: string;
  /** Identity by which an object is found again after the response to its creation was lost. */
  readonly identity: 'name' | 'tag' | 'key' | 'opaque';
  /** With identity `key`: ms for which the server remembers keys. */
  readonly validForMs?: number;
  /** Functions of the server besides `create` and `delete`. @default ['find', 'observe', 'update']; ['observe', 'update'] with identity `opaque` */
  readonly functions?: readonly HookFunction[];
  /** `spec.integrations.<name>` is a list of up to 32 external objects, each with a `name` of its own. @default false: one external object */
  readonly several?: boolean;
  /** JSON Schema of the settings of an object, without its `name`; no patterns. Mistakes are reported before a request. @default the server alone decides */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Outputs: the id's member of that name or, with `secret: true`, that key of its Secret. With `several`, 8 at most, as `<object>/<name>`. @default none */
  readonly outputs?: OutputDeclarations;
  /** Maximum interval in ms between two drift checks, shortened by up to a quarter. @default 300 000 */
  readonly driftInterval?: number;
  /** ms within which the server may still carry a request out that was given up. @default the sequencer's assumption */
  readonly maxRequest?: number;
  /** ms for which `find` may miss a new object. @default 0 */
  readonly listLag?: number;
  /** Rate limits of the server; integrations with one server must share one object. @default 20 calls per second, 20 at once */
  readonly limits?: RateLimits;
}

/** {@link HooksClientOptions} with their defaults. */
export interface CheckedClientOptions {
  readonly name: string;
  readonly url: string;
  readonly keys: readonly Buffer[];
  /** Texts of the keys, to be redacted. */
  readonly secrets: readonly string[];
  /** ms */
  readonly deadline: number;
  readonly concurrency: number;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

/** {@link HttpHooksOptions} with their defaults. */
export interface CheckedHooksOptions
  extends CheckedClientOptions,
    Pick<HttpHooksOptions, 'condition' | 'identity' | 'schema'> {
  readonly after: readonly string[];
  readonly label: string;
  /** ms; 0 unless the identity is `key`. */
  readonly validForMs: number;
  readonly functions: readonly HookFunction[];
  readonly several: boolean;
  readonly outputs: OutputDeclarations;
  /** ms */
  readonly driftInterval: number;
  /** ms */
  readonly maxRequest: number | undefined;
  /** ms */
  readonly listLag: number;
  readonly limits: RateLimits;
}

const { refuse, members, wholeNumber, baseUrl }: OptionChecks = optionChecks('httpHooks');

const clientOptions = ['name', 'url', 'secret', 'ca', 'deadline', 'concurrency', 'fetch', 'clock'] as const;
const known = [
  ...clientOptions,
  'condition',
  'after',
  'label',
  'identity',
  'validForMs',
  'functions',
  'several',
  'schema',
  'outputs',
  'driftInterval',
  'maxRequest',
  'listLag',
  'limits',
] as const;
const identities = ['name', 'tag', 'key', 'opaque'] as const;
const functionNames: readonly HookFunction[] = ['find', 'findAll', 'observe', 'update', 'secretOf', 'replaceMark'];
const maxTime = 2 ** 31 - 1;
/** Outputs of each of several external objects. */
const maxOutputsOfEach = 8;

function keysOf(secret: unknown): readonly Buffer[] {
  const all = Array.isArray(secret) ? secret : [secret];
  const keys = all.flatMap((one) => signingKeyOf(one) ?? []);
  if (keys.length !== all.length || keys.length === 0 || keys.length > 4)
    refuse(
      'secret',
      'whsec_ and 24 to 64 bytes in base64 (openssl rand -base64 32), or a list of up to four such texts',
    );
  return keys;
}

function fetchOf({ ca, fetch }: HooksClientOptions): typeof globalThis.fetch {
  if (fetch !== undefined && typeof fetch !== 'function') refuse('fetch', 'a function');
  if (ca === undefined) return fetch ?? globalThis.fetch;
  if (fetch !== undefined) refuse('ca', 'left out if fetch is given');
  if (!isCertificate(ca)) refuse('ca', 'certificates as PEM: -----BEGIN CERTIFICATE-----');
  return fetchWithCa(ca);
}

function clientPart(options: HooksClientOptions): CheckedClientOptions {
  const { name, url, secret, deadline = 10_000, concurrency = 4, clock = systemClock } = options;
  if (typeof name !== 'string' || !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name))
    refuse('name', 'a DNS label (a-z, 0-9, -; 63 characters at most)', name);
  const keys = keysOf(secret);
  return {
    name,
    url: baseUrl('url', url),
    keys,
    secrets: [secret].flat().flatMap((text) => [text, text.slice('whsec_'.length)]),
    deadline: wholeNumber('deadline', deadline, { min: 1, max: 86_400_000 }),
    concurrency: wholeNumber('concurrency', concurrency, { min: 1, max: 1000 }),
    fetch: fetchOf(options),
    clock,
  };
}

/** Validates the options of a client and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedClientOptions(options: HooksClientOptions): CheckedClientOptions {
  members('options', options, clientOptions);
  return clientPart(options);
}

/** Returns the expectation that the functions of a server do not meet; undefined when they fit each other and the identity. */
function missingIn(all: readonly HookFunction[], { identity, listLag = 0 }: HttpHooksOptions): string | undefined {
  if (!all.includes('find')) {
    if (identity === 'name' || identity === 'tag')
      return `with find, by which identity ${identity} finds an external object again`;
    return all.includes('findAll') ? 'with find, where it names findAll' : undefined;
  }
  if (identity === 'opaque') return 'without find, which identity opaque does not have';
  const isUnread = listLag > 0 && !all.includes('observe');
  return isUnread ? 'with observe, which reads again what a late find (listLag) has found' : undefined;
}

function functionsOf(options: HttpHooksOptions): readonly HookFunction[] {
  const { identity, functions } = options;
  const all: unknown = functions ?? (identity === 'opaque' ? ['observe', 'update'] : ['find', 'observe', 'update']);
  if (!Array.isArray(all) || !all.every((one) => functionNames.includes(one)) || new Set(all).size !== all.length)
    return refuse('functions', `a list of ${functionNames.join(', ')}, each at most once`, functions);
  const expected = missingIn(all, options);
  return expected === undefined ? all : refuse('functions', expected, functions);
}

function validForMsOf({ identity, validForMs }: HttpHooksOptions): number {
  if (identity === 'key') return wholeNumber('validForMs', validForMs, { min: 100, max: Number.MAX_SAFE_INTEGER });
  return validForMs === undefined ? 0 : refuse('validForMs', 'left out unless identity is key', validForMs);
}

function schemaOf(schema: unknown): HttpHooksOptions['schema'] {
  if (schema === undefined) return undefined;
  if (!isJsonObject(schema)) return refuse('schema', 'a JSON Schema of an object', schema);
  const at = patternIn(schema);
  return at === undefined ? schema : refuse('schema', `without patterns (${at}): check texts in the server`);
}

const severalOf = ({ several = false }: HttpHooksOptions): boolean =>
  typeof several === 'boolean' ? several : refuse('several', 'true or false', several);

/** Returns the declared outputs; of several external objects each has its own. */
function outputsOf(options: HttpHooksOptions): OutputDeclarations {
  const { name, outputs = {} } = options;
  const all = Object.entries(outputs);
  if (all.some(([, one]) => one?.each !== undefined))
    refuse('outputs', 'without each: several is what gives each its own');
  if (!severalOf(options)) return outputs;
  if (all.length > maxOutputsOfEach)
    refuse(
      'outputs',
      `${maxOutputsOfEach} at most where several is true: each external object has its own`,
      all.length,
    );
  return Object.fromEntries(
    all.map(([key, one]) => [key, { ...one, each: (workspace: Workspace) => namesAsked(name, workspace) }]),
  );
}

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedHooksOptions(options: HttpHooksOptions): CheckedHooksOptions {
  members('options', options, known);
  const client = clientPart(options);
  const { name, condition, identity, after = [], driftInterval = 300_000, listLag = 0 } = options;
  const { label = name, maxRequest, limits = { rate: 20, burst: 20 } } = options;
  if (!identities.includes(identity)) refuse('identity', `one of ${identities.join(', ')}`, identity ?? 'nothing');
  if (typeof label !== 'string' || !/^[^\p{Cc}]{1,100}$/u.test(label))
    refuse('label', 'a text of 1 to 100 characters', label);
  return {
    ...client,
    ...{ condition, after, label, identity },
    validForMs: validForMsOf(options),
    functions: functionsOf(options),
    several: severalOf(options),
    schema: schemaOf(options.schema),
    outputs: outputsOf(options),
    driftInterval: wholeNumber('driftInterval', driftInterval, { min: 1, max: maxTime }),
    maxRequest: maxRequest === undefined ? undefined : wholeNumber('maxRequest', maxRequest, { min: 0, max: maxTime }),
    listLag: wholeNumber('listLag', listLag, { min: 0, max: maxTime }),
    limits,
  };
}
