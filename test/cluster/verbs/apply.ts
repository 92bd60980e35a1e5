import { checkFits } from '../apply/check.ts';
import { ConflictError, conflictStatus } from '../apply/conflicts.ts';
import { entriesOf } from '../apply/managers.ts';
import { TypedError } from '../apply/merge-type.ts';
import type { Applied } from '../apply/ownership.ts';
import { afterApplied } from '../apply/tracking.ts';
import { textOf } from '../http/body.ts';
import { duplicateMembers } from '../http/duplicates.ts';
import type { ApiResponse } from '../http/message.ts';
import type { KindRules } from '../kind-rules.ts';
import { createObject } from '../objects/create.ts';
import { type ApiObject, type Draft, draftOf, type Fields, isFields } from '../objects/object.ts';
import type { WriteScope } from '../objects/scope.ts';
import { updateObject } from '../objects/update.ts';
import { storeKeyOf } from '../registry.ts';
import { badRequest, conflict, notFound, unexpected } from '../status.ts';
import { admit } from './admission.ts';
import { acceptedResponse, type Call } from './call.ts';
import { decodeApplied, rulesOf } from './decode.ts';
import { managersOf, trackedOf } from './managing.ts';
import { type ApplyOptions, applyOptionsOf } from './parameters.ts';
import { checkName } from './write.ts';

/** The media type of a server-side apply; its body is YAML, or JSON. */
export const applyType = 'application/apply-patch+yaml';

const kindText = (apiVersion: string, kind: string): string => {
  const mark = apiVersion.indexOf('/');
  return `${apiVersion.slice(0, Math.max(mark, 0))}/${apiVersion.slice(mark + 1)}, Kind=${kind}`;
};

/** Throws the server's 400 for what is no object of the kind, or names managers. */
function checkApplied({ resource: { info, apiVersion } }: Call, applied: Fields): void {
  const given = kindText(String(applied.apiVersion ?? ''), String(applied.kind ?? ''));
  if (given !== kindText(apiVersion, info.kind)) throw badRequest(`invalid object type: ${given}`);
  const { managedFields } = isFields(applied.metadata) ? applied.metadata : {};
  if (managedFields !== undefined && managedFields !== null) throw badRequest('metadata.managedFields must be nil');
}

/** A patch as it was sent. */
interface Sent {
  readonly applied: Fields;
  /** Keys that are there more than once, in the words of the server's parser. */
  readonly repeated: readonly string[];
}

const undecodable = (why: string) => badRequest(`error decoding YAML: ${why}`);

/** The value of a text that is JSON without repeated members, as most are; undefined for any other. */
function jsonOf(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return duplicateMembers(text, value).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the body, which is YAML or JSON. Throws the server's 400 and 413. */
async function sentBy({ request }: Call): Promise<Sent> {
  const { readYaml, YamlFault } = await import('../http/yaml.ts');
  try {
    const text = textOf(request);
    const json = jsonOf(text);
    const { value, repeated } = json === undefined ? readYaml(text) : { value: json, repeated: [] };
    if (isFields(value)) return { applied: value, repeated };
    if (value === null || value === undefined) return { applied: {}, repeated };
    const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    throw undecodable(
      `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
    );
  } catch (error) {
    throw error instanceof YamlFault ? undecodable(`error converting YAML to JSON: yaml: ${error.message}`) : error;
  }
}

/** A patch that is applied, to what there is. */
interface Application {
  readonly rules: KindRules;
  readonly options: ApplyOptions;
  readonly applied: Fields;
  readonly live: ApiObject | undefined;
}

const described = ({ resource: { info, apiVersion } }: Call, { metadata }: Fields): string => {
  const { namespace = '', name = '' } = isFields(metadata) ? metadata : {};
  return `${namespace}/${name}; ${kindText(apiVersion, info.kind)}`;
};

/** The live object with the patch applied, and who owns what. Throws the server's 400, 409 and 500. */
function appliedTo(call: Call, { rules, options, applied, live }: Application): Applied {
  const { force, fieldManager } = options;
  checkApplied(call, applied);
  try {
    checkFits(rules.applyShape.type, applied);
    return afterApplied(trackedOf(call, rules, fieldManager), { live, applied, managers: managersOf(live), force });
  } catch (error) {
    if (error instanceof ConflictError) throw conflictStatus(error);
    if (!(error instanceof TypedError)) throw error;
    throw unexpected(`failed to create typed patch object (${described(call, applied)}): ${error.message}`);
  }
}

/** Keys that a body has twice are its author's mistake: refused, or warned of. */
function checkRepeated({ warnings }: Call, { repeated }: Sent, { fieldValidation }: ApplyOptions): void {
  if (repeated.length === 0 || fieldValidation === 'Ignore') return;
  const lines = repeated.map((text) => `  ${text}`).join('\n');
  const message = `error converting YAML to JSON: yaml: unmarshal errors:\n${lines}`;
  if (fieldValidation === 'Strict') throw badRequest(`error strict decoding YAML: ${message}`);
  warnings.push(message);
}

function create(call: Call, scope: WriteScope, draft: Draft): ApiObject {
  const { info } = call.resource;
  const { uid } = draft.metadata;
  if (uid) {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(info, call.path.name ?? '', why);
  }
  checkName(call, draft);
  delete draft.metadata.resourceVersion;
  admit(call, draft);
  return createObject(scope, draft);
}

/** PATCH with a server-side apply, of an object or its status; creates the object when there is none. */
export async function apply(call: Call): Promise<ApiResponse> {
  const { machinery, resource, query, path } = call;
  const options = applyOptionsOf(query);
  const rules = await rulesOf(call);
  const sent = await sentBy(call);
  const live = machinery.store.get(resource.collection, storeKeyOf(path.namespace, path.name ?? ''));
  if (live === undefined && path.subresource !== undefined) throw notFound(resource.info, path.name ?? '');
  const shown = live && resource.view(live);
  const { object, managers } = appliedTo(call, { rules, options, applied: sent.applied, live: shown });
  checkRepeated(call, sent, options);
  const draft = object === shown ? draftOf(shown) : decodeApplied(call, rules, object);
  const entries = entriesOf(managers);
  const scope: WriteScope = {
    machinery,
    resource,
    rules,
    dryRun: options.dryRun,
    managedFields: () => entries,
    ...(path.subresource !== undefined && { subresource: path.subresource }),
  };
  if (live === undefined) return acceptedResponse(call, 201, { rules, object: create(call, scope, draft) });
  checkName(call, draft);
  return acceptedResponse(call, 200, { rules, object: updateObject(scope, live, draft).object });
}
