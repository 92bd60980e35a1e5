/** Token reviews and token requests of `authentication.k8s.io`. */

import { parseApiVersion } from '../../../../sdk/api/kind.ts';
import type { FieldError } from '../../apimachinery/field-error.ts';
import { timestampOf, uuidFrom } from '../../apimachinery/generated-metadata.ts';
import { type ApiObject, type Fields, isFields } from '../../apimachinery/object.ts';
import { badRequest, conflict, invalid, notFound } from '../../apimachinery/status.ts';
import { boundKinds } from '../../authn/service-account-tokens.ts';
import type { User } from '../../requests/message.ts';
import { storeKeyOf } from '../../resources/registry.ts';
import { subresourceInfo } from '../../resources/subresource-info.ts';
import type { TokenClaims } from '../../server/tokens.ts';
import { admitSubresource } from '../admit-and-store.ts';
import { type Call, currentOf, type Verb } from '../resource-call.ts';
import { type Review, readReview, reviewResponse } from './review-body.ts';

const userInfo = ({ name, uid, groups, extra }: User): Fields => ({
  username: name,
  ...(uid !== undefined && { uid }),
  ...(groups.length > 0 && { groups }),
  ...(extra !== undefined && { extra }),
});

/** POST of a SelfSubjectReview: returns the requesting user. */
export const selfSubjectReview: Verb = async (call) => {
  await readReview(call);
  return reviewResponse(call, {
    metadata: { creationTimestamp: timestampOf(call.server.clock.now()) },
    status: { userInfo: userInfo(call.request.user) },
  });
};

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** POST of a TokenReview: authenticates a token. */
export const tokenReview: Verb = async (call) => {
  const { metadata, spec, status } = await readReview(call);
  const { token, audiences } = spec;
  if (typeof token !== 'string' || token === '')
    throw badRequest('token is required for TokenReview in authentication');
  const requestedAudiences = textsOf(audiences);
  const found = await call.server.tokens.review(
    token,
    requestedAudiences.length === 0 ? undefined : requestedAudiences,
  );
  const { authenticated: _sent, user = {}, audiences: _audiences, error: _error, ...others } = status;
  const verdict =
    'error' in found
      ? { user, error: found.error, ...others }
      : { authenticated: true, user: userInfo(found.user), audiences: found.audiences };
  return reviewResponse(call, { metadata, spec, status: verdict });
};

const tokenKind = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };

const tokenRequestInfo = subresourceInfo(tokenKind.group, tokenKind.kind, 'authentication.TokenRequest');

const recreatedHint = 'The object might have been deleted and then recreated';

/** Validates a token request. */
function* requestErrors({ metadata, spec }: Review, { name, namespace }: ApiObject['metadata']): Generator<FieldError> {
  for (const [field, own] of Object.entries({ name, namespace })) {
    const value = metadata[field];
    if (value === undefined || value === '' || value === own) continue;
    const detail = `must match the service account ${field} if specified`;
    yield { type: 'Invalid', field: `metadata.${field}`, value, detail };
    return;
  }
  const value = Number(spec.expirationSeconds);
  const [field, isTooLong] = ['spec.expirationSeconds', value > 2 ** 32];
  if (value < 600) yield { type: 'Invalid', field, value, detail: 'may not specify a duration less than 10 minutes' };
  if (isTooLong) yield { type: 'Invalid', field, value, detail: 'may not specify a duration larger than 2^32 seconds' };
}

/** Returns the object that a reference names. Throws the server's 400 for kinds that no token is bound to, and its 404. */
function referencedObject({ server, path }: Call, { apiVersion = '', kind = '', name = '' }: Fields): ApiObject {
  const { group, version } = parseApiVersion(String(apiVersion));
  if (group !== '' || !boundKinds.includes(String(kind))) {
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  if (name === '') throw badRequest('Name parameter required.');
  const resource = server.registry.ofKind({ apiVersion: 'v1', kind: String(kind) })!;
  const namespace = resource.info.namespaced ? path.namespace : undefined;
  const object = server.store.get(resource.collection, storeKeyOf(namespace, String(name)));
  if (object === undefined) throw notFound(resource.info, String(name));
  return object;
}

/** Returns the object that a token is to be bound to. Throws the server's 400, 404 and 409. */
function boundObjectOf(call: Call, reference: unknown): ApiObject | undefined {
  if (!isFields(reference)) return undefined;
  const object = referencedObject(call, reference);
  const { kind, uid } = reference;
  const { serviceAccountName } = isFields(object.spec) ? object.spec : {};
  if (kind === 'Pod' && serviceAccountName !== call.path.name) {
    const account = JSON.stringify(call.path.name);
    throw badRequest(
      `cannot bind token for serviceaccount ${account} to pod running with different serviceaccount name.`,
    );
  }
  if (!uid || uid === object.metadata.uid) return object;
  const why = `the UID in the bound object reference (${uid}) does not match the UID in record. ${recreatedHint}`;
  throw conflict({ group: '', plural: String(kind) }, object.metadata.name, why);
}

/** Returns the node claim of a pod, whose node may be gone. */
function nodeOf({ server: { store } }: Call, bound: ApiObject | undefined): Pick<TokenClaims, 'node'> {
  const { nodeName } = isFields(bound?.spec) ? bound.spec : {};
  if (bound?.kind !== 'Pod' || typeof nodeName !== 'string' || nodeName === '') return {};
  const uid = store.get('/nodes', nodeName)?.metadata.uid;
  return { node: { name: nodeName, ...(uid !== undefined && { uid }) } };
}

async function issueToken(call: Call, account: ApiObject, spec: Fields): Promise<Fields> {
  const { server } = call;
  const { name, namespace = '', uid = '' } = account.metadata;
  const { audiences, expirationSeconds } = spec;
  const bound = boundObjectOf(call, spec.boundObjectRef);
  const exp = Math.floor(server.clock.now() / 1000) + Number(expirationSeconds);
  const token = await server.tokens.issue({
    ...{ aud: textsOf(audiences), exp, jti: uuidFrom(server.random), namespace, name, uid },
    ...nodeOf(call, bound),
    ...(bound && { bound: { kind: bound.kind, name: bound.metadata.name, uid: bound.metadata.uid ?? '' } }),
  });
  return { token, expirationTimestamp: timestampOf(exp * 1000) };
}

/** Sets the defaults of a token request. */
function withTokenRequestDefaults({ metadata, spec }: Review, issuer: string): Review {
  const audiences = textsOf(spec.audiences);
  const all = {
    audiences: audiences.length === 0 ? [issuer] : audiences,
    expirationSeconds: spec.expirationSeconds ?? 3600,
    boundObjectRef: spec.boundObjectRef ?? null,
  };
  return { metadata, spec: all, status: {} };
}

/** POST to a service account's `/token`. */
export const createToken: Verb = async (call) => {
  const { server, path } = call;
  const { group, version } = tokenRequestInfo;
  const requestCall = {
    ...call,
    resource: { ...call.resource, info: tokenRequestInfo, apiVersion: `${group}/${version}` },
  };
  const review = withTokenRequestDefaults(await readReview(requestCall), server.tokens.issuer);
  const account = currentOf(call);
  const { name, namespace, uid } = account.metadata;
  const wrong = [...requestErrors(review, account.metadata)];
  if (wrong.length > 0)
    throw invalid(tokenRequestInfo, wrong[0]!.field.startsWith('metadata') ? (path.name ?? '') : '', wrong);
  const { uid: given, name: _name, namespace: _namespace, managedFields, ...others } = review.metadata;
  if (given && given !== uid) {
    const why = `the UID in the token request (${given}) does not match the UID of the service account (${uid})`;
    throw conflict({ group, plural: tokenRequestInfo.kind }, name, why);
  }
  const { spec } = review;
  const creationTimestamp = timestampOf(server.clock.now());
  const metadata = { name, namespace, uid, creationTimestamp, ...others, managedFields };
  const object = { kind: tokenRequestInfo.kind, apiVersion: requestCall.resource.apiVersion, metadata, spec };
  const dryRun = call.query.getAll('dryRun').includes('All');
  const shown = { ...object, status: { token: '', expirationTimestamp: null } };
  await admitSubresource(call, { kind: tokenKind, operation: 'CREATE', object: shown, dryRun });
  const status = await issueToken(call, account, spec);
  return reviewResponse(requestCall, { metadata, spec, status });
};
