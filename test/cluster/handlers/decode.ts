/** Decodes bodies and applied objects as drafts of their kind. */

import { parseApiVersion } from '../../../sdk/api/kind.ts';
import { type Draft, type DraftMeta, type Fields, isFields } from '../apimachinery/object.ts';
import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import { badRequest, invalid, type StatusError } from '../apimachinery/status.ts';
import { type Decoded, DecodeError } from '../resources/decode-result.ts';
import type { DecodeSource, KindRules } from '../server/kind-rules.ts';
import { dedupOwnerReferences } from './dedup-owner-references.ts';
import { fieldProblems, fieldProblemsInOrder, type ObjectBody, readObjectBody, warningTextsOf } from './object-body.ts';
import type { WriteOptions } from './parameters.ts';
import type { Call } from './resource-call.ts';

/** Returns the rules of the call's kind; loads them when first needed. */
export const rulesOf = ({ server: { scheme }, resource: { info } }: Call): KindRules | Promise<KindRules> =>
  scheme.loaded(info) ?? scheme.load(info);

/** Makes the error for an object that cannot be decoded: a 400 about the kind for a body, a 422 for a patch. */
export type DecodeErrorOf = (why: string) => StatusError;

/** Strictness of decoding, and its errors. */
export interface DecodeTerms {
  readonly options: WriteOptions;
  readonly refuse: DecodeErrorOf;
  /** Position in Go's source that errors about unknown kinds name. */
  readonly scheme: string;
}

/** Position in Go's source that errors about unknown kinds of bodies name. */
const bodyScheme = 'pkg/runtime/scheme.go:110';

/** Terms of decoding one kind, and where the object comes from. */
export interface KindDecodeTerms extends DecodeTerms, DecodeSource {
  readonly rules: KindRules;
}

/** Returns the 400 for a body that cannot be decoded; it names the kind and version that the body states. */
function undecodableBody({ resource: { info } }: Call, { apiVersion, kind }: Fields): DecodeErrorOf {
  const given =
    typeof apiVersion === 'string' && apiVersion !== '' ? parseApiVersion(apiVersion).version : info.version;
  const claimed = typeof kind === 'string' && kind !== '' ? kind : info.kind;
  return (why) => badRequest(`${claimed} in version "${given}" cannot be handled as a ${info.kind}: ${why}`);
}

/** Returns the group of an apiVersion; undefined when it is empty or no text. */
export function groupIn(apiVersion: unknown): string | undefined {
  if (typeof apiVersion !== 'string' || apiVersion === '') return undefined;
  return apiVersion.includes('/') ? apiVersion.split('/', 1)[0]! : '';
}

/** Refuses another kind or version of a custom resource. */
function refuseOtherCustomKind({ server, resource: { info, apiVersion } }: Call, fields: Fields): void {
  const { kind, metadata } = fields;
  const name = String((isFields(metadata) && metadata.name) || '');
  const group = groupIn(fields.apiVersion) ?? info.group;
  const wanted = { kind: info.kind, apiVersion };
  const others = (['kind', 'apiVersion'] as const).filter((field) => fields[field] && fields[field] !== wanted[field]);
  if (others.length === 0) return;
  const isServed = server.registry.find(String(fields.apiVersion), info.plural)?.info.group === info.group;
  if (isServed && others.length === 1 && others[0] === 'apiVersion') {
    throw badRequest(
      `the API version in the data (${fields.apiVersion}) does not match the expected API version (${apiVersion})`,
    );
  }
  const errors = others.map(
    (field) => ({ type: 'Invalid', field, value: fields[field], detail: `must be ${wanted[field]}` }) as const,
  );
  throw invalid({ group, kind: String(kind || info.kind) }, name, errors);
}

/** Checks that a custom resource states its apiVersion. Throws the server's 400. */
function checkCustomVersion(call: Call, { apiVersion: given }: Fields): void {
  const { apiVersion } = call.resource;
  if (given === null) {
    const why = '.apiVersion accessor error: <nil> is of the type <nil>, expected string';
    throw badRequest(
      `${call.resource.info.kind} in version "" cannot be handled as a ${call.resource.info.kind}: ${why}`,
    );
  }
  if (given === apiVersion) return;
  throw badRequest(
    `the API version in the data (${given ?? ''}) does not match the expected API version (${apiVersion})`,
  );
}

/** Errors for an object that states another kind. */
export interface OtherKind {
  readonly refuse: DecodeErrorOf;
  /** Refusal when the claimed kind exists. */
  readonly refuseKnown: DecodeErrorOf;
  /** Position in Go's source that errors about unknown kinds name. */
  readonly scheme: string;
}

/** Groups of the aggregated apiextensions-apiserver and kube-aggregator, whose schemes have only their own kinds. */
const separateSchemes = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];
const hasSeparateScheme = ({ group }: ResourceInfo): boolean => separateSchemes.includes(group);

/** Returns the error for an object of another kind, which is first decoded as the kind that it states. */
export async function otherKind(
  call: Call,
  fields: Fields,
  { refuse, refuseKnown, scheme }: OtherKind,
): Promise<StatusError> {
  const { resource, server } = call;
  const { kind } = fields;
  const apiVersion = fields.apiVersion || resource.apiVersion;
  const other = server.registry.ofKind({ apiVersion: String(apiVersion), kind: String(kind) });
  const isForeign =
    other?.info.custom !== undefined || (other && hasSeparateScheme(other.info) !== hasSeparateScheme(resource.info));
  if (other === undefined || isForeign) {
    return refuse(`no kind "${kind}" is registered for version "${apiVersion}" in scheme "${scheme}"`);
  }
  decode(fields, { rules: await server.scheme.load(other.info), refuse });
  const { group, kind: expected } = resource.info;
  const target = `${group.split('.', 1)[0] || 'core'}.${expected}`;
  return refuseKnown(`converting (${other.info.version}.${kind}) to (${target}): unknown conversion`);
}

/** Reports whether an object states another built-in kind. */
export const claimsOtherKind = ({ resource: { info } }: Call, { kind }: Fields): boolean =>
  info.custom === undefined && Boolean(kind) && kind !== info.kind;

function refuseOtherVersion(call: Call, { apiVersion: given }: Fields, { refuse, scheme }: DecodeTerms): void {
  const { info, apiVersion } = call.resource;
  if (!given || given === apiVersion || (info.kind === 'Eviction' && given === 'policy/v1beta1')) return;
  const [group = ''] = String(given).includes('/') ? String(given).split('/') : [''];
  const isElsewhere = info.kind === 'Scale' && call.server.registry.all().some((one) => one.apiVersion === given);
  const known = group === info.group && info.group !== '' && !isElsewhere;
  if (known)
    throw badRequest(`the API version in the data (${given}) does not match the expected API version (${apiVersion})`);
  throw refuse(`no kind "${info.kind}" is registered for version "${given}" in scheme "${scheme}"`);
}

function decode(fields: Fields, terms: Omit<KindDecodeTerms, 'options' | 'scheme'>): Decoded {
  try {
    return terms.rules.decode(fields, terms);
  } catch (error) {
    if (error instanceof DecodeError) throw terms.refuse(error.message);
    throw error;
  }
}

/** Warns of or refuses unknown and repeated fields, as `fieldValidation` asks. */
export function reportFieldProblems(
  warnings: string[],
  problems: readonly string[],
  { options, refuse }: DecodeTerms,
): void {
  if (problems.length === 0 || options.fieldValidation === 'Ignore') return;
  if (options.fieldValidation === 'Strict') throw refuse(`strict decoding error: ${problems.join(', ')}`);
  for (const problem of problems) warnings.push(...warningTextsOf(problem));
}

/** Message about an object that names another namespace than the path. */
export const namespaceMismatch =
  'the namespace of the provided object does not match the namespace sent on the request';

/** Sets the namespace and name of the path on the draft. Throws the server's 400 when they differ. */
function withNameOfPath({ resource: { info, apiVersion }, path }: Call, object: Fields): Draft {
  const metadata: DraftMeta = isFields(object.metadata) ? { ...object.metadata } : {};
  if (info.namespaced && path.namespace !== undefined) {
    if (metadata.namespace && metadata.namespace !== path.namespace) {
      throw badRequest(namespaceMismatch);
    }
    metadata.namespace = path.namespace;
  } else if (!info.namespaced) delete metadata.namespace;
  return { ...object, apiVersion, kind: info.kind, metadata };
}

/** Fields of a body, and a function that adds the problems of its text to those of its unknown fields. */
export interface BodyFields {
  readonly fields: Fields;
  readonly problemsWith: (unknown: readonly string[]) => readonly string[];
}

/** Decodes an object as a draft. Throws the refusals of the terms. */
export function decodeDraft(call: Call, { fields, problemsWith }: BodyFields, terms: KindDecodeTerms): Draft {
  if (call.resource.info.custom !== undefined) refuseOtherCustomKind(call, fields);
  else refuseOtherVersion(call, fields, terms);
  const { object, unknown } = decode(fields, terms);
  reportFieldProblems(call.warnings, problemsWith(unknown), terms);
  const draft = withNameOfPath(call, dedupOwnerReferences(call, object));
  const { managedFields } = isFields(fields.metadata) ? fields.metadata : {};
  // Only built-in kinds, which Go decodes, keep an empty list apart from an absent one.
  const isEmptied =
    Array.isArray(managedFields) && managedFields.length === 0 && call.resource.info.custom === undefined;
  if (isEmptied) draft.metadata.managedFields = [];
  return draft;
}

type BodyTerms = Pick<KindDecodeTerms, 'rules' | 'options'>;

function draftFrom(call: Call, content: ObjectBody, terms: BodyTerms): Draft | Promise<never> {
  const { value: fields } = content;
  const refuse = undecodableBody(call, fields);
  if (call.resource.info.custom !== undefined) checkCustomVersion(call, fields);
  if (!claimsOtherKind(call, fields)) {
    const problemsOf = call.resource.info.custom === undefined ? fieldProblemsInOrder : fieldProblems;
    const { numbers } = content.written;
    const problemsWith = (unknown: readonly string[]) => problemsOf(content, unknown);
    return decodeDraft(call, { fields, problemsWith }, { ...terms, refuse, scheme: bodyScheme, numbers });
  }
  return otherKind(call, fields, { refuse, refuseKnown: refuse, scheme: bodyScheme }).then((error) =>
    Promise.reject(error),
  );
}

/** Decodes the body of a create or update; synchronous for JSON. Throws or rejects with the server's 400, 413, 415 and 422. */
export function decodeBody(call: Call, rules: KindRules, options: WriteOptions): Draft | Promise<Draft> {
  const content = readObjectBody(call, call.resource.info.kind);
  const draft = (read: ObjectBody) => draftFrom(call, read, { rules, options });
  return content instanceof Promise ? content.then(draft) : draft(content);
}

/** Result of a server-side apply, and the error for values that the Go type cannot hold. */
export interface ApplyResult {
  readonly value: Readonly<Fields>;
  readonly refuse: (why: string) => StatusError;
}

/** Replaces nulls in labels and annotations by empty texts, as Go's string maps do. */
function withEmptyTextsForNulls(object: Readonly<Fields>): Readonly<Fields> {
  const { metadata } = object;
  if (!isFields(metadata)) return object;
  const names = ['labels', 'annotations'].filter((name) => Object.values(metadata[name] ?? {}).includes(null));
  if (names.length === 0) return object;
  const texts = (map: unknown) => Object.entries(map as Fields).map(([key, text]) => [key, text ?? '']);
  const made = Object.fromEntries(names.map((name) => [name, Object.fromEntries(texts(metadata[name]))]));
  return { ...object, metadata: { ...metadata, ...made } };
}

/**
 * Decodes the result of an apply as a draft; its fields are known, and custom resources keep nulls.
 * Throws the server's 400, and the errors of `refuse` for values that Go cannot hold.
 */
export function decodeApplied(call: Call, rules: KindRules, { value, refuse }: ApplyResult): Draft {
  const isCustom = call.resource.info.custom !== undefined;
  const object = isCustom ? withEmptyTextsForNulls(value) : decode(value, { rules, refuse }).object;
  return withNameOfPath(call, dedupOwnerReferences(call, object));
}
