/** Outputs of conditions: what one integration has learned, for templates and other integrations. */

import { isJsonObject } from '../../api/json.ts';
import type { Workspace, WorkspaceStatus } from '../../api/workspace.ts';
import { describeShape, describeValue } from '../describe-value.ts';
import { mistakeInText } from '../value-mistakes.ts';

/** Declaration of one output. */
export interface OutputDeclaration {
  /** One sentence for the authors of templates. */
  readonly description: string;
  /** True when it names a key of a Secret in the workspace's namespace. @default false */
  readonly secret?: boolean;
  /**
   * Returns the names (DNS labels) of the external objects that each have this output; it is then named `<object>/<name>`, such as `left/host`. Pure and
   * cheap. @default the condition has one such output
   */
  readonly each?: (workspace: Workspace) => readonly string[];
}

/** Declared outputs of an integration, by name: a letter, then letters and digits; 32 at most. */
export type OutputDeclarations = Readonly<Record<string, OutputDeclaration>>;

/** Key of a Secret in the workspace's namespace. */
export interface SecretKeyRef {
  readonly name: string;
  readonly key: string;
}

/** Value of an output: a text of 1 to 1024 characters, or where to find a secret, never the secret itself. */
export type OutputValue = string | { readonly secretKeyRef: SecretKeyRef };

/** Values of outputs, by name; an undefined one is not known. 256 at most, with 65 536 characters of JSON together. */
export type Outputs = Readonly<Record<string, OutputValue | undefined>>;

const maxValueLength = 1024;
const maxDeclared = 32;
const maxValues = 256;
/** Characters of all outputs of a condition as JSON. */
const maxOutputsLength = 65_536;
const declaredName = /^[a-zA-Z][a-zA-Z0-9]{0,62}$/;
const objectName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Name of an output, with that of the external object that has it where each of several has one. */
interface ParsedName {
  readonly object: string | undefined;
  readonly name: string;
}

function parseName(text: string): ParsedName {
  const slash = text.lastIndexOf('/');
  return { object: slash === -1 ? undefined : text.slice(0, slash), name: text.slice(slash + 1) };
}

/** Reports whether a text may name an output: `host`, or `left/host` of the object `left`. */
export function isOutputName(text: string): boolean {
  const { object, name } = parseName(text);
  return declaredName.test(name) && (object === undefined || objectName.test(object));
}

/** Returns the declaration of an output; undefined where there is none of that form. */
function declarationOf(text: string, declared: OutputDeclarations): OutputDeclaration | undefined {
  const { object, name } = parseName(text);
  const one = Object.hasOwn(declared, name) ? declared[name] : undefined;
  return isOutputName(text) && (one?.each === undefined) === (object === undefined) ? one : undefined;
}

/** Returns the names of declared outputs as references write them. */
const writtenNames = (declared: OutputDeclarations): readonly string[] =>
  Object.entries(declared).map(([name, { each }]) => (each === undefined ? name : `OBJECT/${name}`));

/**
 * Explains why a workspace can never have an output of this name; undefined when it can.
 * @throws the error of `each`
 */
export function reasonWhyUndeclared(
  text: string,
  declared: OutputDeclarations,
  workspace: Workspace,
): string | undefined {
  const one = declarationOf(text, declared);
  const known = writtenNames(declared);
  if (one === undefined)
    return `declares no output ${text}; ${known.length === 0 ? 'it declares none' : `known are ${known.join(', ')}`}`;
  const { object = '' } = parseName(text);
  const names = one.each?.(workspace);
  if (names === undefined || names.includes(object)) return undefined;
  return `has no object ${object} for this workspace; ${names.length === 0 ? 'it has none' : `known are ${names.join(', ')}`}`;
}

/** Describes invalid declarations; undefined when they are valid. */
export function mistakeInDeclarations(declared: unknown): string | undefined {
  if (!isJsonObject(declared)) return 'must be an object of declarations by name';
  const names = Object.keys(declared);
  if (names.length > maxDeclared) return `must be ${maxDeclared} at most; found ${names.length}`;
  for (const [name, one] of Object.entries(declared)) {
    if (!declaredName.test(name))
      return `must be named by a letter, then letters and digits; found ${describeValue(name)}`;
    const isValid = isJsonObject(one) && mistakeInText(one.description) === undefined;
    const hasForm = isValid && ['undefined', 'boolean'].includes(typeof one.secret);
    if (!hasForm || !['undefined', 'function'].includes(typeof one.each))
      return `.${name} must be { description, secret?, each? }; found ${describeValue(one)}`;
  }
  return undefined;
}

const isSecretKeyRef = (value: unknown): boolean =>
  isJsonObject(value) &&
  isJsonObject(value.secretKeyRef) &&
  [value.secretKeyRef.name, value.secretKeyRef.key].every((text) => mistakeInText(text, 253) === undefined);

function mistakeInValue(name: string, value: unknown, declared: OutputDeclarations): string | undefined {
  const declaration = declarationOf(name, declared);
  const known = writtenNames(declared);
  if (declaration === undefined)
    return `setOutputs: ${describeValue(name)} is not declared; ${known.length === 0 ? 'no output is' : `declared are ${known.join(', ')}`}`;
  if (declaration.secret === true)
    return isSecretKeyRef(value)
      ? undefined
      : `setOutputs: ${name} must be { secretKeyRef: { name, key } }; found ${describeShape(value)}`;
  const mistake = mistakeInText(value, maxValueLength);
  return (
    mistake && `setOutputs: ${name} must be a text of 1 to ${maxValueLength} characters; found ${describeShape(value)}`
  );
}

/** Describes invalid outputs without their values; undefined when they are valid. */
export function mistakeInOutputs(outputs: unknown, declared: OutputDeclarations = {}): string | undefined {
  if (!isJsonObject(outputs)) return `setOutputs: must be an object of values by name; found ${describeShape(outputs)}`;
  const known = Object.entries(outputs).filter(([, value]) => value !== undefined);
  if (known.length > maxValues) return `setOutputs: must be ${maxValues} outputs at most; found ${known.length}`;
  const mistakes = known.map(([name, value]) => mistakeInValue(name, value, declared));
  const mistake = mistakes.find((one) => one !== undefined);
  if (mistake !== undefined) return mistake;
  const { length } = JSON.stringify(outputs);
  return length > maxOutputsLength
    ? `setOutputs: must have ${maxOutputsLength} characters of JSON at most; found ${length}`
    : undefined;
}

/** Removes from a status the outputs of conditions that are terminated or gone. */
export function withoutEndedOutputs(status: WorkspaceStatus): WorkspaceStatus['outputs'] {
  const { outputs, conditions = [] } = status;
  const living = new Set(conditions.filter(({ status: said }) => said !== 'Terminated').map(({ type }) => type));
  const kept = Object.entries(outputs ?? {}).filter(([type]) => living.has(type));
  if (outputs === undefined || kept.length === Object.keys(outputs).length) return outputs;
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
