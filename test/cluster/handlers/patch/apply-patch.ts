/** Reads the body of a server-side apply, applies it and builds its errors. */

import { quantityFormatMessage } from '../../apimachinery/formats/quantity.ts';
import { goObject, unmarshalError } from '../../apimachinery/go/go-json.ts';
import { isTooDeep } from '../../apimachinery/go/go-json-syntax.ts';
import { type ApiObject, type Fields, isFields } from '../../apimachinery/object.ts';
import { badRequest, type StatusError, unexpected } from '../../apimachinery/status.ts';
import { repeatsMembers } from '../../encoding/json-member-scan.ts';
import { textOf } from '../../encoding/request-body.ts';
import { ConflictError, conflictStatus } from '../../managed-fields/conflicts.ts';
import { afterApplied, type ManagedWrite } from '../../managed-fields/field-manager.ts';
import { kubectl, withClientApplied, withLastApplied } from '../../managed-fields/last-applied.ts';
import { type Managers, managersFrom } from '../../managed-fields/managers.ts';
import { OtherVersionError, TypedError } from '../../managed-fields/merge-type.ts';
import type { Applied } from '../../managed-fields/ownership-updater.ts';
import { checkFits } from '../../managed-fields/typed-validation.ts';
import type { ApplyOptions } from '../parameters.ts';
import type { Call } from '../resource-call.ts';

/** Media type of a server-side apply; the body is YAML or JSON. */
export const applyType = 'application/apply-patch+yaml';

/** Apply patch as it was sent. */
export interface ApplyBody {
  readonly applied: Fields;
  /** Repeated keys, in the words of the server's parser. */
  readonly repeated: readonly string[];
}

const undecodable = (why: string): StatusError => badRequest(`error decoding YAML: ${why}`);

/** Parses a text that is JSON without repeated members, the common case; returns undefined for any other. */
function jsonOf(text: string): unknown {
  if (!text.trimStart().startsWith('{') || isTooDeep(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return repeatsMembers(text, value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Characters that the server's YAML parser refuses. */
const control = /[^\P{Cc}\t\n\r\u0085]|[\ufffe\uffff]/u;

/** Returns the parser's message about JSON that is not YAML to it: control characters, `\/`, and escapes of surrogates. */
function yamlFaultOf(json: string): string | undefined {
  if (control.test(json)) return 'control characters are not allowed';
  for (const { 1: escaped = '', index } of json.matchAll(/\\(u[dD][89a-fA-F]|.)/gs)) {
    if (escaped !== '/' && escaped.length === 1) continue;
    const line = json.slice(0, index).split('\n').length;
    const why = escaped === '/' ? 'found unknown escape character' : 'found invalid Unicode character escape code';
    return line === 1 ? why : `line ${line}: ${why}`;
  }
  return undefined;
}

function applyBodyOf(value: unknown, repeated: readonly string[]): ApplyBody {
  if (isFields(value)) return { applied: value, repeated };
  if (value === null || value === undefined) return { applied: {}, repeated };
  throw undecodable(`error unmarshaling JSON: while decoding JSON: ${unmarshalError(value, goObject)}`);
}

/** Reads the body of an apply. Throws the server's 400 and 413. */
export async function readApplyBody({ request }: Call): Promise<ApplyBody> {
  const text = textOf(request);
  const json = jsonOf(text);
  if (json !== undefined) {
    const fault = yamlFaultOf(text);
    if (fault !== undefined) throw undecodable(`error converting YAML to JSON: yaml: ${fault}`);
    return applyBodyOf(json, []);
  }
  const { readYaml, YamlFault } = await import('../../encoding/yaml.ts');
  try {
    const { value, repeated } = readYaml(text);
    return applyBodyOf(value, repeated);
  } catch (error) {
    throw error instanceof YamlFault ? undecodable(`error converting YAML to JSON: ${error.message}`) : error;
  }
}

/** Refuses or warns of repeated keys in a body, as `fieldValidation` asks. Throws the server's 400. */
export function checkRepeated({ warnings }: Call, { repeated }: ApplyBody, { fieldValidation }: ApplyOptions): void {
  if (repeated.length === 0 || fieldValidation === 'Ignore') return;
  if (fieldValidation === 'Warn') {
    warnings.push(...repeated);
    return;
  }
  const lines = repeated.map((text) => `  ${text}`).join('\n');
  throw badRequest(`error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n${lines}`);
}

const kindText = (apiVersion: string, kind: string): string => {
  const mark = apiVersion.indexOf('/');
  return `${apiVersion.slice(0, Math.max(mark, 0))}/${apiVersion.slice(mark + 1)}, Kind=${kind}`;
};

/** Checks that the patch is an object of the kind and does not set `managedFields`. Throws the server's 400. */
function checkApplied({ apiVersion, kind }: ApplyRequest, applied: Fields): void {
  const given = kindText(String(applied.apiVersion ?? ''), String(applied.kind ?? ''));
  if (given !== kindText(apiVersion, kind)) throw badRequest(`invalid object type: ${given}`);
  const { managedFields } = isFields(applied.metadata) ? applied.metadata : {};
  if (managedFields !== undefined && managedFields !== null) throw badRequest('metadata.managedFields must be nil');
}

/** Description of an object in the server's internal errors. */
const described = ({ metadata }: Fields, kind: string): string => {
  const { namespace, name } = isFields(metadata) ? metadata : {};
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return `${text(namespace)}/${text(name)}; ${kind}`;
};

/** Returns the error for an applied object that cannot be converted to the Go type. */
export function conversionError(applied: Fields, why: string): StatusError {
  const kind = kindText(String(applied.apiVersion), String(applied.kind));
  return unexpected(`failed to convert new object (${described(applied, kind)}) to proper version: ${why}`);
}

/** Returns the error for values that fit the schema but not the Go types. */
export const goTypeError =
  (applied: Fields) =>
  (why: string): StatusError => {
    const kind = kindText(String(applied.apiVersion), String(applied.kind));
    const [, type] = /^json: cannot unmarshal number \S+ into Go .* of type (\w+)$/.exec(why) ?? [];
    const isBare = why === quantityFormatMessage;
    const text =
      type !== undefined ? `cannot convert float64 to ${type}` : isBare ? why : `error decoding from json: ${why}`;
    return conversionError(applied, `unable to convert unstructured object to ${kind}: ${text}`);
  };

/** Returns the field managers of a stored object. */
export const managersOf = (object: ApiObject | undefined): Managers =>
  managersFrom(object?.metadata.managedFields) ?? new Map();

/** Apply patch and the live object it is applied to; `live` is undefined when the apply creates the object. */
export interface ApplyRequest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly applied: Fields;
  readonly live: Readonly<Fields> | undefined;
  readonly managers: Managers;
  readonly force: boolean;
}

/** Applies with the migration from kubectl's client-side apply, for objects that it managed before. */
function applyWithMigration(tracked: ManagedWrite, application: ApplyRequest): Applied {
  const { live, applied, apiVersion } = application;
  const { type } = tracked.shape;
  const apply = (force = application.force): Applied => afterApplied(tracked, { ...application, force });
  const made = live === undefined ? apply() : withClientApplied({ type, apiVersion, live, apply });
  return { ...made, object: withLastApplied(made.object, applied) };
}

/** Applies a patch; returns the result and its field managers. Throws the server's 400, 409 and 500. */
export function applyPatch(tracked: ManagedWrite, application: ApplyRequest): Applied {
  const { applied, apiVersion, kind } = application;
  checkApplied(application, applied);
  try {
    checkFits(tracked.shape.type, applied);
    return tracked.manager === kubectl ? applyWithMigration(tracked, application) : afterApplied(tracked, application);
  } catch (error) {
    if (error instanceof ConflictError) throw conflictStatus(error);
    if (error instanceof OtherVersionError) throw unexpected(error.message);
    if (!(error instanceof TypedError)) throw error;
    const object = described(applied, kindText(apiVersion, kind));
    throw unexpected(`failed to create typed patch object (${object}): ${error.message}`);
  }
}
