/** Outputs of conditions: what one integration has learned, for templates and other integrations. */

import type { WorkspaceStatus } from '../../api/workspace.ts';
import { describeShape, describeValue, isRecord, mistakeInText } from '../value-mistakes.ts';

/** Declaration of one output. */
export interface OutputDeclaration {
  /** One sentence for the authors of templates. */
  readonly description: string;
  /** True when it names a key of a Secret in the workspace's namespace. @default false */
  readonly secret?: boolean;
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

/** Values of outputs, by name; an undefined one is not known. */
export type Outputs = Readonly<Record<string, OutputValue | undefined>>;

const longestValue = 1024;
const mostOutputs = 32;
const namePattern = /^[a-zA-Z][a-zA-Z0-9]{0,62}$/;

/** Reports whether a text may name an output. */
export const isOutputName = (text: string): boolean => namePattern.test(text);

/** Describes invalid declarations; undefined when they are valid. */
export function mistakeInDeclarations(declared: unknown): string | undefined {
  if (!isRecord(declared)) return 'must be an object of declarations by name';
  const names = Object.keys(declared);
  if (names.length > mostOutputs) return `must be ${mostOutputs} at most; found ${names.length}`;
  for (const [name, one] of Object.entries(declared)) {
    if (!isOutputName(name)) return `must be named by a letter, then letters and digits; found ${describeValue(name)}`;
    const isValid = isRecord(one) && mistakeInText(one.description) === undefined;
    if (!isValid || !['undefined', 'boolean'].includes(typeof one.secret))
      return `.${name} must be { description, secret? }; found ${describeValue(one)}`;
  }
  return undefined;
}

const isSecretKeyRef = (value: unknown): boolean =>
  isRecord(value) &&
  isRecord(value.secretKeyRef) &&
  [value.secretKeyRef.name, value.secretKeyRef.key].every((text) => mistakeInText(text, 253) === undefined);

function mistakeInValue(name: string, value: unknown, declared: OutputDeclarations): string | undefined {
  const known = Object.keys(declared);
  if (!known.includes(name))
    return `setOutputs: ${describeValue(name)} is not declared; ${known.length === 0 ? 'no output is' : `declared are ${known.join(', ')}`}`;
  if (declared[name]?.secret === true)
    return isSecretKeyRef(value)
      ? undefined
      : `setOutputs: ${name} must be { secretKeyRef: { name, key } }; found ${describeShape(value)}`;
  const mistake = mistakeInText(value, longestValue);
  return (
    mistake && `setOutputs: ${name} must be a text of 1 to ${longestValue} characters; found ${describeShape(value)}`
  );
}

/** Describes invalid outputs without their values; undefined when they are valid. */
export function mistakeInOutputs(outputs: unknown, declared: OutputDeclarations = {}): string | undefined {
  if (!isRecord(outputs)) return `setOutputs: must be an object of values by name; found ${describeShape(outputs)}`;
  const mistakes = Object.entries(outputs)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => mistakeInValue(name, value, declared));
  return mistakes.find((mistake) => mistake !== undefined);
}

/** Removes from a status the outputs of conditions that are terminated or gone. */
export function withoutEndedOutputs(status: WorkspaceStatus): WorkspaceStatus['outputs'] {
  const { outputs, conditions = [] } = status;
  const living = new Set(conditions.filter(({ status: said }) => said !== 'Terminated').map(({ type }) => type));
  const kept = Object.entries(outputs ?? {}).filter(([type]) => living.has(type));
  if (outputs === undefined || kept.length === Object.keys(outputs).length) return outputs;
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
