/** Serves deletions of objects and collections, and reads their options. */

import { type FieldError, notSupported } from '../apimachinery/field-error.ts';
import { goHead, goKind, unmarshalError } from '../apimachinery/go/go-json.ts';
import { type ApiObject, type Fields, isFields } from '../apimachinery/object.ts';
import { deletedStatus, invalidOptions, unexpected } from '../apimachinery/status.ts';
import { jsonResponse, representedResponse } from '../encoding/representation.ts';
import { contentOf, objectTypes, SyntaxFault } from '../encoding/request-body.ts';
import { checkPreconditions, deleteObject } from '../objects/delete.ts';
import { storeKeyOf } from '../resources/registry.ts';
import type { DeleteOptions } from '../server/delete-options.ts';
import { admitDelete } from './admit-and-store.ts';
import { dryRunErrors, flagOf, integerOf } from './parameters.ts';
import { pageOf } from './read.ts';
import { type Call, currentOf, objectResponse, type Verb } from './resource-call.ts';
import { convertForDisplay } from './store-converted.ts';

type Options = DeleteOptions & { readonly dryRun: boolean };

const policies = ['Foreground', 'Background', 'Orphan', 'nil'];

function deleteOptionErrors(policy: unknown, orphan: unknown, dryRun: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (policy !== undefined && orphan !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push({ type: 'Invalid', field: 'propagationPolicy', value: policy, detail });
  } else if (policy !== undefined && !policies.slice(0, 3).includes(String(policy))) {
    errors.push(notSupported('propagationPolicy', policy, policies));
  }
  return [...errors, ...dryRunErrors(dryRun)];
}

/** Reads the body of a deletion; undefined without one. Throws the server's 400, 413 and 500. */
async function readBody({ request, server: { scheme } }: Call): Promise<unknown> {
  if (request.body === undefined || request.body.byteLength === 0) return undefined;
  try {
    return (await contentOf(request, objectTypes, scheme.types)).value;
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    throw unexpected(error.message);
  }
}

/** JSON and Go types of each option. */
const optionTypes: Readonly<Record<string, readonly [is: string, type: string]>> = {
  gracePeriodSeconds: ['number', 'int64'],
  orphanDependents: ['boolean', 'bool'],
  propagationPolicy: ['string', 'v1.DeletionPropagation'],
  dryRun: ['array', '[]string'],
  preconditions: ['object', 'v1.Preconditions'],
};

/** Checks the options in a body. Throws the server's 500 for values that Go cannot decode. */
function checkOptionTypes(body: unknown): Fields | undefined {
  if (body === undefined || body === null) return undefined;
  const head = "couldn't get version/kind; json parse error:";
  if (!isFields(body)) throw unexpected(`${head} ${unmarshalError(body, goHead)}`);
  for (const [name, [is, type]] of Object.entries(optionTypes)) {
    const value = body[name];
    if (value === undefined || value === null || (Array.isArray(value) ? 'array' : typeof value) === is) continue;
    throw unexpected(
      `json: cannot unmarshal ${goKind(value)} into Go struct field DeleteOptions.${name} of type ${type}`,
    );
  }
  return body;
}

/** Reads preconditions from the query; undefined without any. */
function preconditionsIn(query: URLSearchParams): DeleteOptions['preconditions'] {
  const [uid, resourceVersion] = [query.get('uid'), query.get('resourceVersion')];
  if (!uid && !resourceVersion) return undefined;
  return { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
}

/** Reads the options from the body, or else from the query. Throws the server's 400, 422 and 500. */
async function optionsOf(call: Call): Promise<Options> {
  const { query } = call;
  const body = await readBody(call);
  const given = checkOptionTypes(body);
  if (given?.apiVersion === 'v1' && optionKinds.has(given.kind)) {
    throw unexpected(`converting (v1.${given.kind}) to (v1.DeleteOptions): unknown conversion`);
  }
  if (given?.kind !== undefined && given.kind !== 'DeleteOptions') {
    throw unexpected(
      `no kind "${given.kind}" is registered for version "${given.apiVersion ?? 'meta.k8s.io/v1'}" in scheme "pkg/runtime/scheme.go:110"`,
    );
  }
  const read = given ?? {
    gracePeriodSeconds: integerOf(query, 'gracePeriodSeconds'),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    orphanDependents: flagOf(query, 'orphanDependents'),
    dryRun: query.getAll('dryRun'),
    preconditions: preconditionsIn(query),
  };
  return { ...(read as DeleteOptions), dryRun: checkDeleteOptions(read) };
}

/** Checks the options of a deletion and reports whether they ask for a dry run. Throws the server's 422. */
export function checkDeleteOptions({ dryRun = [], propagationPolicy, orphanDependents }: Fields): boolean {
  const runs = [dryRun ?? []].flat().map(String);
  const errors = deleteOptionErrors(propagationPolicy ?? undefined, orphanDependents ?? undefined, runs);
  if (errors.length > 0) throw invalidOptions('DeleteOptions', errors);
  return runs.length > 0;
}

/** Kinds of the server's options scheme that a deletion accepts beside DeleteOptions. */
const optionKinds: ReadonlySet<unknown> = new Set(
  'Status APIVersions APIGroup APIGroupList APIResourceList WatchEvent ListOptions GetOptions CreateOptions UpdateOptions PatchOptions'.split(
    ' ',
  ),
);

const orphanedPodsWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/** Collections whose DELETE returns the object, because a finalizer always keeps it for a while. */
const returnsObjectCollections: ReadonlySet<string> = new Set(['/namespaces', '/replicationcontrollers']);

/** Warns that the pods of a deleted Job stay by default. */
function warnOfOrphanedPods({ resource, warnings }: Call, { propagationPolicy, orphanDependents }: Options): void {
  const isDefault = propagationPolicy === undefined && orphanDependents === undefined;
  if (resource.collection === 'batch/jobs' && isDefault) warnings.push(orphanedPodsWarning);
}

/** DELETE of one object. */
export const remove: Verb = async (call) => {
  const { server, resource } = call;
  const options = await optionsOf(call);
  const current = currentOf(call);
  warnOfOrphanedPods(call, options);
  checkPreconditions(resource, current, options);
  const converting = convertForDisplay(resource, current);
  if (converting !== undefined) await converting;
  const asked = admitDelete(call, current, { ...options });
  if (asked !== undefined) await asked;
  const { object, gone } = deleteObject({ server, resource }, currentOf(call), options);
  if (gone && !resource.info.deleteReturnsObject && !returnsObjectCollections.has(resource.collection)) {
    return jsonResponse(200, deletedStatus(resource.info, current.metadata.name, current.metadata.uid));
  }
  const showing = convertForDisplay(resource, object);
  if (showing !== undefined) await showing;
  return objectResponse(call, gone || options.orphanDependents !== false ? 200 : 202, object);
};

/** DELETE of a collection: each object that the selectors match. */
export const removeCollection: Verb = async (call) => {
  const { server, resource, representation } = call;
  const options = await optionsOf(call);
  const { store } = server;
  const { objects, metadata: ofList } = await pageOf(call, false);
  const results: ApiObject[] = [];
  for (const { metadata } of objects) {
    const key = storeKeyOf(metadata.namespace, metadata.name);
    const asked = store.get(resource.collection, key);
    const answer = asked && admitDelete(call, asked, { ...options });
    if (answer !== undefined) await answer;
    const current = store.get(resource.collection, key);
    if (current === undefined) continue;
    deleteObject({ server, resource }, current, options);
    results.push(current);
  }
  return representedResponse(200, representation.list(resource, results.map(resource.view), ofList));
};
