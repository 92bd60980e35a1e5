/** Runs a webhook server with answers determined by the URL. */

import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { stringify } from 'yaml';
import { createAuthority } from '../../../cluster/pki/certificate.ts';

/** Answer of a webhook, as data in its URL. */
export interface Behaviour {
  /** @default 200 */
  readonly status?: number;
  /** The whole body instead of a review. */
  readonly text?: string;
  /** Content type; empty for none. @default application/json */
  readonly type?: string;
  /** The review is written in YAML. */
  readonly yaml?: boolean;
  /** Members that override those of a valid review. */
  readonly review?: object;
  /** The `response` of the review. @default allowed; its uid is the request's unless it is given */
  readonly response?: object;
  /** A JSON patch for the response. */
  readonly patch?: unknown;
  /** Delay of the answer, ms. */
  readonly delay?: number;
  /** Conversion of custom resources: members of `spec` that are renamed between versions. */
  readonly convert?: string;
}

/** Media types of answers, with bodies that fit them and with others. */
export const formsOfAnswers: Readonly<Record<string, Behaviour>> = {
  YAML: { yaml: true, type: 'application/yaml' },
  'YAML that is told as JSON': { yaml: true },
  'JSON that is told as YAML': { type: 'application/yaml' },
  'JSON that is told as a text': { type: 'text/plain; charset=utf-8' },
  'JSON that is told as protobuf': { type: 'application/vnd.kubernetes.protobuf' },
  'JSON of an unknown type': { type: 'application/x-unknown' },
  'JSON of no type': { type: '' },
  'JSON of a broken type': { type: ';;' },
  'a text with status 500': { status: 500, text: 'boom', type: 'text/plain' },
  'a page with status 404': { status: 404, text: '<html>not here</html>', type: 'text/html' },
};

/** A webhook server for one API server. */
export interface Hooks {
  /** Prefix of webhook URLs; `/scenario/name/behaviour` follows. A GET of `/scenario` returns the requests since the previous GET. */
  readonly url: string;
  /** Authority of its certificate, as in `caBundle`. */
  readonly ca: string;
  readonly dispatcher: Dispatcher;
  close(): Promise<void>;
}

interface Received {
  readonly hook: string;
  readonly query: string;
  readonly headers: object;
  readonly body: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** Encodes a behaviour for a URL. */
export const behaviourText = (behaviour: Behaviour): string =>
  Buffer.from(JSON.stringify(behaviour)).toString('base64url');

const encoded = (patch: unknown): string =>
  Buffer.from(typeof patch === 'string' ? patch : JSON.stringify(patch)).toString('base64');

/** Converters from an object to another version of it. */
const converters: Readonly<Record<string, (object: Json, version: string) => unknown>> = {
  rename: renamedObject,
  same: (object) => object,
  metadata: (object, version) => withMetadata(object, version, { labels: { a: 'b' }, annotations: { c: 'd' } }),
  badLabels: (object, version) => withMetadata(object, version, { labels: { 'a b': 'c d' } }),
  badAnnotations: (object, version) => withMetadata(object, version, { annotations: { 'a b': 'c d' } }),
  numberLabels: (object, version) => withMetadata(object, version, { labels: { a: 1 } }),
  listLabels: (object, version) => withMetadata(object, version, { labels: ['a'] }),
  noLabels: (object, version) => withMetadata(object, version, { labels: null, annotations: undefined }),
  otherMetadata: (object, version) =>
    withMetadata(object, version, { generation: 42, finalizers: ['example.com/f'], garbage: 'x' }),
  noMetadata: (object, version) => ({ ...renamedObject(object, version), metadata: undefined }),
  textMetadata: (object, version) => ({ ...renamedObject(object, version), metadata: 'x' }),
  name: (object, version) => withMetadata(object, version, { name: 'other' }),
  namespace: (object, version) => withMetadata(object, version, { namespace: 'other' }),
  uid: (object, version) => withMetadata(object, version, { uid: 'other' }),
  kind: (object, version) => ({ ...renamedObject(object, version), kind: 'Other' }),
  version: (object, version) => ({ ...renamedObject(object, version), apiVersion: version.replace(/[^/]+$/, 'v9') }),
  group: (object, version) => ({ ...renamedObject(object, version), apiVersion: 'example.org/v1' }),
  invalid: (object, version) => ({ ...object, apiVersion: version, spec: { v2: 5, v1: 5 } }),
  unknown: (object, version) => ({ ...renamedObject(object, version), spec: { v1: 'x', v2: 'x', v3: 'x' }, more: 1 }),
  empty: () => ({}),
  text: () => 'x',
  null: () => null,
  twice: renamedObject,
  noBad: (object, version) => ((object.metadata as Json).name === 'bad' ? {} : renamedObject(object, version)),
};

function renamedObject(object: Json, version: string): Json {
  return { ...object, apiVersion: version, spec: renamed(object.spec as Json, version) };
}

const withMetadata = (object: Json, version: string, more: Json): Json => ({
  ...renamedObject(object, version),
  metadata: { ...(object.metadata as Json), ...more },
});

function renamed(spec: Json = {}, version: string): Json {
  const [from, to] = version.endsWith('v1') ? ['v2', 'v1'] : ['v1', 'v2'];
  const { [from!]: value, ...rest } = spec;
  return value === undefined ? spec : { ...rest, [to!]: value };
}

function conversionOf({ convert, response }: Behaviour, { uid, objects, desiredAPIVersion }: Json): Json {
  const one = (object: Json) => converters[convert!]!(object, String(desiredAPIVersion));
  const made = (convert === 'twice' ? [...(objects as Json[]), ...(objects as Json[])] : (objects as Json[])).map(one);
  return { uid, convertedObjects: made, result: { status: 'Success' }, ...response };
}

function answerOf(behaviour: Behaviour, body: Json): string {
  const { text, yaml = false, review, response, patch, convert } = behaviour;
  if (text !== undefined) return text;
  const request = body.request as Json;
  const plain = {
    uid: request.uid,
    allowed: true,
    ...(patch !== undefined && { patchType: 'JSONPatch', patch: encoded(patch) }),
    ...response,
  };
  const said = convert === undefined ? plain : conversionOf(behaviour, request);
  const made = { apiVersion: body.apiVersion, kind: body.kind, response: said, ...review };
  return yaml ? stringify(made) : JSON.stringify(made);
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Names of webhooks that the API server calls in parallel, in no fixed order. */
const atOnce = /^v\d/;

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

/** Starts a webhook server on the loopback address. */
export async function startHooks(): Promise<Hooks> {
  const authority = await createAuthority(Date.now());
  const { certificate: cert, key } = authority.issue(['127.0.0.1']);
  const received = new Map<string, Received[]>();
  const server = createServer({ cert, key }, async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'https://hooks');
    const [, scenario = '', hook = '', behaviourIn] = pathname.split('/');
    const known = received.get(scenario) ?? [];
    received.set(scenario, known);
    if (behaviourIn === undefined) {
      received.delete(scenario);
      const { turns = [], others = [] } = Object.groupBy(known, ({ hook }) => (atOnce.test(hook) ? 'others' : 'turns'));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ inTurn: turns, atOnce: others }));
      return;
    }
    const behaviour = JSON.parse(Buffer.from(behaviourIn, 'base64url').toString()) as Behaviour;
    const { 'content-type': type, accept } = request.headers;
    const body = JSON.parse(await textOf(request)) as Json;
    if (hook !== 'ready') known.push({ hook, query: search, headers: { type, accept }, body });
    const { status = 200, delay = 0, type: written = 'application/json' } = behaviour;
    await new Promise((resolve) => setTimeout(resolve, delay));
    response.writeHead(status, written === '' ? {} : { 'content-type': written }).end(answerOf(behaviour, body));
  });
  const port = await listening(server);
  const dispatcher = new Agent({ connect: { ca: authority.certificate } });
  return {
    url: `https://127.0.0.1:${port}`,
    ca: Buffer.from(authority.certificate).toString('base64'),
    dispatcher,
    async close() {
      await dispatcher.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
