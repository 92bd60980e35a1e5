import type { FieldError } from '../field-error.ts';
import type { User } from '../http/message.ts';
import { jsonResponse } from '../http/represent.ts';
import type { ResourceInfo } from '../kinds/resource-info.ts';
import { timestampOf, uuidFrom } from '../machinery.ts';
import { type ApiObject, type Fields, isFields } from '../objects/object.ts';
import { storeKeyOf } from '../registry.ts';
import { badRequest, conflict, invalid, notFound } from '../status.ts';
import { type Call, currentOf, type Verb } from '../verbs/call.ts';
import { decodeBody, rulesOf } from '../verbs/decode.ts';
import { writeOptionsOf } from '../verbs/parameters.ts';
import { issuer } from './service-account-tokens.ts';

const userInfo = ({ name, uid, groups, extra }: User): Fields => ({
  username: name,
  ...(uid !== undefined && { uid }),
  ...(groups.length > 0 && { groups }),
  ...(extra !== undefined && { extra }),
});

/** POST of a SelfSubjectReview: who asks. */
export const reviewWho: Verb = async (call) => {
  const { machinery, resource, query, request } = call;
  await decodeBody(call, await rulesOf(call), writeOptionsOf(query, 'CreateOptions'));
  return jsonResponse(201, {
    kind: resource.info.kind,
    apiVersion: resource.apiVersion,
    metadata: { creationTimestamp: timestampOf(machinery.clock.now()) },
    status: { userInfo: userInfo(request.user) },
  });
};

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** POST of a TokenReview: who a token stands for. */
export const reviewToken: Verb = async (call) => {
  const { machinery, resource, query } = call;
  const { spec } = await decodeBody(call, await rulesOf(call), writeOptionsOf(query, 'CreateOptions'));
  const { token, audiences } = spec as { token?: string; audiences?: unknown };
  if (!token) throw badRequest('token is required for TokenReview in authentication');
  const wanted = textsOf(audiences);
  const user = await machinery.tokens.userOf(token, wanted.length === 0 ? undefined : wanted);
  const status =
    user === undefined
      ? { user: {}, error: 'invalid bearer token' }
      : { authenticated: true, user: userInfo(user), audiences: wanted.length === 0 ? [issuer] : wanted };
  return jsonResponse(201, { kind: resource.info.kind, apiVersion: resource.apiVersion, metadata: {}, spec, status });
};

const tokenRequest: ResourceInfo = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenRequest',
  listKind: 'TokenRequestList',
  plural: 'tokenrequests',
  singular: 'tokenrequest',
  namespaced: true,
  verbs: ['create'],
  shortNames: [],
  categories: [],
  subresources: [],
  hasStatus: false,
  hasGeneration: false,
  deleteReturnsObject: false,
  unconditionalUpdate: false,
  createOnUpdate: false,
  statusUpdatesMetadata: false,
  type: 'authentication.TokenRequest',
};

function lifetimeErrors(seconds: number): FieldError[] {
  const refused = (detail: string): FieldError[] => [
    { type: 'Invalid', field: 'spec.expirationSeconds', value: seconds, detail },
  ];
  if (seconds < 600) return refused('may not specify a duration less than 10 minutes');
  return seconds > 2 ** 32 ? refused('may not specify a duration larger than 2^32 seconds') : [];
}

function nameErrors(given: unknown, name: string): FieldError[] {
  if (given === undefined || given === '' || given === name) return [];
  const detail = 'must match the service account name if specified';
  return [{ type: 'Invalid', field: 'metadata.name', value: given, detail }];
}

/** The object that a token is to be bound to. Throws the server's 404 and 409. */
function boundObjectOf({ machinery, path }: Call, reference: unknown): ApiObject | undefined {
  if (!isFields(reference)) return undefined;
  const { apiVersion = 'v1', kind, name, uid } = reference;
  const resource = machinery.registry.ofKind({ apiVersion: String(apiVersion), kind: String(kind) });
  if (resource === undefined || !['Pod', 'Secret', 'Node'].includes(resource.info.kind)) {
    throw badRequest(`cannot bind token for serviceaccount to object of type ${apiVersion}, Kind=${kind}`);
  }
  const namespace = resource.info.namespaced ? path.namespace : undefined;
  const object = machinery.store.get(resource.collection, storeKeyOf(namespace, String(name)));
  if (object === undefined) throw notFound(resource.info, String(name));
  if (uid && uid !== object.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict(resource.info, String(name), why);
  }
  return object;
}

async function issuedFor(call: Call, account: ApiObject, spec: Fields): Promise<Fields> {
  const { machinery } = call;
  const { name, namespace = '', uid = '' } = account.metadata;
  const { audiences, expirationSeconds } = spec;
  const bound = boundObjectOf(call, spec.boundObjectRef);
  const exp = Math.floor(machinery.clock.now() / 1000) + Number(expirationSeconds);
  const token = await machinery.tokens.issue({
    ...{ aud: textsOf(audiences), exp, jti: uuidFrom(machinery.random), namespace, name, uid },
    ...(bound && { bound: { kind: bound.kind, name: bound.metadata.name, uid: bound.metadata.uid ?? '' } }),
  });
  return { token, expirationTimestamp: timestampOf(exp * 1000) };
}

/** POST to a service account's `/token`. */
export const requestToken: Verb = async (call) => {
  const { machinery, query, path } = call;
  const account = currentOf(call);
  const { name, namespace } = account.metadata;
  const { group, version } = tokenRequest;
  const asked = { ...call, resource: { ...call.resource, info: tokenRequest, apiVersion: `${group}/${version}` } };
  const body = await decodeBody(asked, await rulesOf(asked), writeOptionsOf(query, 'CreateOptions'));
  const given = isFields(body.spec) ? body.spec : {};
  const seconds = Number(given.expirationSeconds ?? 3600);
  const wrongName = nameErrors(body.metadata.name, name);
  if (wrongName.length > 0) throw invalid(tokenRequest, path.name ?? '', wrongName);
  const wrongLifetime = lifetimeErrors(seconds);
  if (wrongLifetime.length > 0) throw invalid(tokenRequest, '', wrongLifetime);
  const audiences = textsOf(given.audiences);
  const spec = {
    audiences: audiences.length === 0 ? [issuer] : audiences,
    expirationSeconds: seconds,
    boundObjectRef: given.boundObjectRef ?? null,
  };
  const status = await issuedFor(call, account, spec);
  const creationTimestamp = timestampOf(machinery.clock.now());
  const metadata = { name, namespace, uid: uuidFrom(machinery.random), creationTimestamp };
  return jsonResponse(201, { kind: tokenRequest.kind, apiVersion: asked.resource.apiVersion, metadata, spec, status });
};
