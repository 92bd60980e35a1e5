import { checkFits } from '../apply/check.ts';
import { ConflictError, conflictStatus } from '../apply/conflicts.ts';
import { kubectl, withClientApplied, withLastApplied } from '../apply/last-applied.ts';
import { type Managers, managersFrom } from '../apply/managers.ts';
import { OtherVersionError, TypedError } from '../apply/merge-type.ts';
import type { Applied } from '../apply/ownership.ts';
import { afterApplied, type Tracked } from '../apply/tracking.ts';
import { goObject, misfit } from '../go-json.ts';
import { textOf } from '../http/body.ts';
import { duplicateMembers } from '../http/duplicates.ts';
import { isTooDeep } from '../http/go-syntax.ts';
import { quantityFormatMessage } from '../kinds/quantity.ts';
import { type ApiObject, type Fields, isFields } from '../objects/object.ts';
import { badRequest, type StatusError, unexpected } from '../status.ts';
import type { Call } from './call.ts';
import type { ApplyOptions } from './parameters.ts';

/** The media type of a server-side apply; its body is YAML, or JSON. */
export const applyType = 'application/apply-patch+yaml';

/** A patch as it was sent. */
export interface Sent {
  readonly applied: Fields;
  /** Keys that are there more than once, in the words of the server's parser. */
  readonly repeated: readonly string[];
}

const undecodable = (why: string): StatusError => badRequest(`error decoding YAML: ${why}`);

/** The value of a text that is JSON without repeated members, as most are; undefined for any other. */
function jsonOf(text: string): unknown {
  if (!text.trimStart().startsWith('{') || isTooDeep(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return duplicateMembers(text, value).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

function sentAs(value: unknown, repeated: readonly string[]): Sent {
  if (isFields(value)) return { applied: value, repeated };
  if (value === null || value === undefined) return { applied: {}, repeated };
  throw undecodable(`error unmarshaling JSON: while decoding JSON: ${misfit(value, goObject)}`);
}

/** Reads the body of an apply. Throws the server's 400 and 413. */
export async function sentBy({ request }: Call): Promise<Sent> {
  const text = textOf(request);
  const json = jsonOf(text);
  if (json !== undefined) return sentAs(json, []);
  const { readYaml, YamlFault } = await import('../http/yaml.ts');
  try {
    const { value, repeated } = readYaml(text);
    return sentAs(value, repeated);
  } catch (error) {
    throw error instanceof YamlFault ? undecodable(`error converting YAML to JSON: yaml: ${error.message}`) : error;
  }
}

/** Keys that a body has twice are its author's mistake: refused, or warned of. Throws the server's 400. */
export function checkRepeated({ warnings }: Call, { repeated }: Sent, { fieldValidation }: ApplyOptions): void {
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

/** Throws the server's 400 for what is no object of the kind, or names managers. */
function checkApplied({ apiVersion, kind }: Application, applied: Fields): void {
  const given = kindText(String(applied.apiVersion ?? ''), String(applied.kind ?? ''));
  if (given !== kindText(apiVersion, kind)) throw badRequest(`invalid object type: ${given}`);
  const { managedFields } = isFields(applied.metadata) ? applied.metadata : {};
  if (managedFields !== undefined && managedFields !== null) throw badRequest('metadata.managedFields must be nil');
}

/** What the server calls an object in errors that it did not expect. */
const described = ({ metadata }: Fields, kind: string): string => {
  const { namespace, name } = isFields(metadata) ? metadata : {};
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return `${text(namespace)}/${text(name)}; ${kind}`;
};

/** What is said of an applied object that cannot be made one of Go's. */
export function unconvertible(applied: Fields, why: string): StatusError {
  const kind = kindText(String(applied.apiVersion), String(applied.kind));
  return unexpected(`failed to convert new object (${described(applied, kind)}) to proper version: ${why}`);
}

/** What is said of values that fit the schema, but not Go's types. */
export const unfitting =
  (applied: Fields) =>
  (why: string): StatusError => {
    const kind = kindText(String(applied.apiVersion), String(applied.kind));
    const [, type] = /^json: cannot unmarshal number \S+ into Go .* of type (\w+)$/.exec(why) ?? [];
    const isBare = why === quantityFormatMessage;
    const told =
      type !== undefined ? `cannot convert float64 to ${type}` : isBare ? why : `error decoding from json: ${why}`;
    return unconvertible(applied, `unable to convert unstructured object to ${kind}: ${told}`);
  };

/** The managers of an object as it is stored. */
export const managersOf = (object: ApiObject | undefined): Managers =>
  managersFrom(object?.metadata.managedFields) ?? new Map();

/** An apply, and what it is applied to; undefined when there is nothing yet. */
export interface Application {
  readonly apiVersion: string;
  readonly kind: string;
  readonly applied: Fields;
  readonly live: Readonly<Fields> | undefined;
  readonly managers: Managers;
  readonly force: boolean;
}

/** kubectl looks after what it did before there was server-side apply. */
function appliedByKubectl(tracked: Tracked, application: Application): Applied {
  const { live, applied, apiVersion } = application;
  const { type } = tracked.shape;
  const apply = (force = application.force): Applied => afterApplied(tracked, { ...application, force });
  const made = live === undefined ? apply() : withClientApplied({ type, apiVersion, live, apply });
  return { ...made, object: withLastApplied(made.object, applied) };
}

/** What an apply makes, and who owns what after it. Throws the server's 400, 409 and 500. */
export function appliedTo(tracked: Tracked, application: Application): Applied {
  const { applied, apiVersion, kind } = application;
  checkApplied(application, applied);
  try {
    checkFits(tracked.shape.type, applied);
    return tracked.manager === kubectl ? appliedByKubectl(tracked, application) : afterApplied(tracked, application);
  } catch (error) {
    if (error instanceof ConflictError) throw conflictStatus(error);
    if (error instanceof OtherVersionError) throw unexpected(error.message);
    if (!(error instanceof TypedError)) throw error;
    const object = described(applied, kindText(apiVersion, kind));
    throw unexpected(`failed to create typed patch object (${object}): ${error.message}`);
  }
}
