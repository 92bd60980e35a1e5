/** Serves gets and lists. */

import { goKind, unmarshalError } from '../apimachinery/go/go-json.ts';
import { syntaxFaultOf } from '../apimachinery/go/go-json-syntax.ts';
import { type ApiObject, isFields } from '../apimachinery/object.ts';
import { fieldRequirementsOf, fieldSelectorOf } from '../apimachinery/selectors/field-selector.ts';
import { labelSelectorOf } from '../apimachinery/selectors/parse-label-selector.ts';
import { badRequest, expired, type StatusError, unexpected } from '../apimachinery/status.ts';
import { type ListMetadata, representedResponse } from '../encoding/representation.ts';
import { invalidVersion, isVersion, listOptionsOf } from './list-options.ts';
import { type Call, currentOf, objectResponse, type Verb } from './resource-call.ts';
import { resourceVersionTimeout, tooLargeResourceVersion } from './resource-version-timeout.ts';
import { convertForDisplay } from './store-converted.ts';

/** GET of one object. */
export const get: Verb = (call) => {
  const version = call.query.get('resourceVersion') ?? '';
  if (!isVersion(version)) throw unexpected(invalidVersion(version));
  const answer = () => {
    const current = currentOf(call);
    const converting = convertForDisplay(call.resource, current);
    const shown = () => objectResponse(call, 200, current);
    return converting === undefined ? shown() : converting.then(shown);
  };
  return waitForVersion(call, version)?.then(answer) ?? answer();
};

/** Returns the filter by labels and fields, applied to the object in the call's version; undefined when everything is selected. */
export function selectorOf({ query, resource }: Call): ((stored: ApiObject) => boolean) | undefined {
  const labels = labelSelectorOf(query.get('labelSelector') ?? '');
  const fields = fieldSelectorOf(resource.info, fieldRequirementsOf(query.get('fieldSelector') ?? ''));
  if (labels === undefined && fields === undefined) return undefined;
  return (stored) =>
    (labels === undefined || labels(stored.metadata.labels ?? {})) &&
    (fields === undefined || fields(resource.view(stored)));
}

/** Waits until the store has reached a version, and rejects with 504 after a time-out; returns undefined, as in most cases, when it has. */
function waitForVersion({ server: { store, clock } }: Call, version: string): Promise<void> | undefined {
  const wanted = Number(version);
  if (!(wanted > store.revision)) return undefined;
  return clock.sleep(resourceVersionTimeout).then(() => {
    if (wanted > store.revision) throw tooLargeResourceVersion(version, store.revision);
  });
}

const prefixOf = ({ path }: Call): string => (path.namespace === undefined ? '' : `${path.namespace}/`);

const tokenVersion = 'meta.k8s.io/v1';

interface ContinueToken {
  readonly revision: number;
  readonly after: string;
}

const tokenOf = (revision: number, prefix: string, last: string): string =>
  Buffer.from(JSON.stringify({ v: tokenVersion, rv: revision, start: `${last.slice(prefix.length)}\0` })).toString(
    'base64url',
  );

/** Go's types of the fields of a continue token. */
const tokenFields = { v: 'string', rv: 'int64', start: 'string' } as const;

/** Returns the Go decoder's error for a JSON value that is not a token; undefined for a valid one. */
function tokenFault(value: unknown): string | undefined {
  if (value === null) return undefined;
  if (!isFields(value)) return unmarshalError(value, 'storage.continueToken');
  for (const [name, type] of Object.entries(tokenFields)) {
    const member = value[name];
    const fits = type === 'string' ? typeof member === 'string' : Number.isSafeInteger(member);
    if (member === undefined || member === null || fits) continue;
    return `json: cannot unmarshal ${goKind(member)} into Go struct field continueToken.${name} of type ${type}`;
  }
  return undefined;
}

const invalidToken = (why: string): StatusError =>
  badRequest(`invalid continue token: continue key is not valid: ${why}`);

/** Decodes a continue token. Throws the server's 400. */
function decodedToken(token: string): { readonly v?: string; readonly rv?: number; readonly start?: string } {
  const at = token.search(/[^\w-]/);
  // Go reports an incomplete final quantum at its beginning.
  const wrong = at >= 0 ? at : token.length % 4 === 1 ? token.length - 1 : -1;
  if (wrong >= 0) throw invalidToken(`illegal base64 data at input byte ${wrong}`);
  const text = Buffer.from(token, 'base64url').toString();
  const broken = syntaxFaultOf(text);
  if (broken !== undefined) throw invalidToken(broken);
  const value: unknown = JSON.parse(text);
  const fault = tokenFault(value);
  if (fault !== undefined) throw invalidToken(fault);
  return value ?? {};
}

function readToken(token: string, prefix: string): ContinueToken {
  const { v = '', rv, start } = decodedToken(token);
  if (v !== tokenVersion) throw invalidToken(`server does not recognize this encoded version ${v}`);
  if (!rv) throw invalidToken(`incorrect encoded start resourceVersion (version ${tokenVersion})`);
  if (!start) throw invalidToken(`encoded start key empty (version ${tokenVersion})`);
  if (/(^|\/)\.\.(\/|$)/.test(start)) throw invalidToken(start);
  return { revision: rv, after: prefix + start.replace(/\0$/, '') };
}

/** Returns the 410 for a state that was compacted; for a continued list it carries a token to continue with. */
function tooOld(prefix: string, token: ContinueToken | undefined): StatusError {
  if (token === undefined) return expired('The resourceVersion for the provided list is too old.');
  const error = expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  error.status.metadata = { continue: tokenOf(-1, prefix, token.after) };
  return error;
}

/** Page of a collection, as stored. */
export interface ListPage {
  readonly objects: readonly ApiObject[];
  readonly metadata: ListMetadata;
}

/** Reports whether the field selector names a single object: the server then gets that object, without paging. */
function selectsOneObject({ query, path, resource: { info } }: Call): boolean {
  if (query.get('continue') || (info.namespaced && path.namespace === undefined)) return false;
  const named = fieldRequirementsOf(query.get('fieldSelector') ?? '').find(
    ({ label, equals }) => label === 'metadata.name' && equals,
  );
  return named !== undefined && /^[^/%]+$/.test(named.value) && !/^\.\.?$/.test(named.value);
}

/** Returns the revision that a page shows, once the server has it. Throws the server's 400, 410 and 504. */
async function revisionOf(
  call: Call,
  options: ListOptions,
  { prefix, token }: { readonly prefix: string; readonly token: ContinueToken | undefined },
): Promise<number> {
  const { store } = call.server;
  if (options.isRefused) throw badRequest('specifying resource version is not allowed when using continue');
  const exact = options.exact ? Number(options.resourceVersion) : store.revision;
  const revision = token === undefined || token.revision < 0 ? exact : token.revision;
  await waitForVersion(call, String(revision));
  if (revision < store.oldest) throw tooOld(prefix, token);
  return revision;
}

/** Prepares the conversions of a list by a webhook. */
async function prepareConversions(
  call: Call,
  isDirect: boolean,
  at: { readonly prefix: string; readonly revision: number },
): Promise<void> {
  const { prepareList } = await import('./list-conversion.ts');
  await prepareList(call, { isDirect, ...at });
}

type ListOptions = ReturnType<typeof listOptionsOf>;

/** Reports whether a page is converted by the webhook itself: earlier conversions serve only a whole and latest list. */
const needsConversion = (options: ListOptions, isCached: boolean): boolean =>
  !isCached || options.limit > 0 || options.continue !== '' || options.exact;

/** Returns the limit of a page; undefined for all objects. */
const limitOf = (call: Call, { limit }: ListOptions): number | undefined =>
  limit > 0 && !selectsOneObject(call) ? limit : undefined;

/** Returns the metadata of a list; on all pages but the last with a token, and where nothing is filtered, with the number of remaining objects. */
function metadataOf(revision: number, token: string | undefined, remaining: number | undefined): ListMetadata {
  const resourceVersion = String(revision);
  if (token === undefined) return { resourceVersion };
  return { resourceVersion, continue: token, ...(remaining !== undefined && { remainingItemCount: remaining }) };
}

/**
 * Reads the page of a collection that the query selects; `isCached` accepts earlier conversions of a webhook.
 * Throws the server's 400, 410, 422 and 504.
 */
export async function pageOf(call: Call, isCached = true): Promise<ListPage> {
  const {
    server: { store },
    resource,
    query,
  } = call;
  const options = listOptionsOf(query);
  const matches = selectorOf(call);
  await waitForVersion(call, options.resourceVersion);
  const prefix = prefixOf(call);
  const token = options.continue === '' ? undefined : readToken(options.continue, prefix);
  const revision = await revisionOf(call, options, { prefix, token });
  if (resource.conversionWebhook !== undefined) {
    await prepareConversions(call, needsConversion(options, isCached), { prefix, revision });
  }
  const selection = { after: token?.after, limit: limitOf(call, options), matches };
  const page = store.page(resource.collection, { prefix, revision, ...selection });
  const next = page.last === undefined ? undefined : tokenOf(revision, prefix, page.last);
  return {
    objects: page.objects,
    metadata: metadataOf(revision, next, matches === undefined ? page.remaining : undefined),
  };
}

/** GET of a collection. */
export const list: Verb = async (call) => {
  const { objects, metadata } = await pageOf(call);
  return representedResponse(200, call.representation.list(call.resource, objects.map(call.resource.view), metadata));
};
