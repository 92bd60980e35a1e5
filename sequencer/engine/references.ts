/** Orders integrations by the outputs that they use, and finds missing outputs and wrong settings. */

import {
  checkUniqueNames,
  describeValue,
  ignoreRejection,
  mistakeError,
  parseOutputReference,
  readSettings,
  reasonWhyUndeclared,
  validated,
  type WrongField,
} from '../../sdk/host/index.ts';
import { claimOf, type Integration, messageOf, outputOf, type Workspace } from '../../sdk/index.ts';
import { settingsReaderOf } from '../tenants/configured-integration.ts';
import { cycleThrough } from './cycle.ts';
import { isInForce } from './requested-integrations.ts';

/** Limit of the different outputs that one integration uses for one workspace. */
const mostReferences = 256;

const mistakeFor = ({ name, condition }: Integration, mistake: string): Error =>
  mistakeError({ claim: claimOf(name), type: condition }, mistake);

/** Calls a function of an integration, or reads what it has returned. @throws its error, with the integration and the function before its text */
function calledFor<T>(integration: Integration, member: 'references' | 'reads', call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw mistakeFor(integration, `${member} must not throw; it threw ${messageOf(error)}`);
  }
}

const isListOfTexts = (found: unknown): boolean =>
  Array.isArray(found) && found.every((one) => typeof one === 'string');

/** Returns the outputs that an integration uses for a workspace, as it names them. @throws its error, or one that names the mistake */
function referencesOf(workspace: Workspace, integration: Integration): readonly string[] {
  const found: unknown = calledFor(integration, 'references', () => integration.references?.(workspace) ?? []);
  ignoreRejection(found);
  if (!calledFor(integration, 'references', () => isListOfTexts(found)))
    throw mistakeFor(
      integration,
      `references must return an array of texts like Condition.name; found ${describeValue(found)}`,
    );
  const all = found as readonly string[];
  if (all.length > mostReferences)
    throw mistakeFor(integration, `references must return at most ${mostReferences} outputs; found ${all.length}`);
  return all;
}

/** Returns the conditions whose outputs an integration uses; none when its `references` fails. */
function usedBy(workspace: Workspace, integration: Integration): readonly string[] {
  try {
    return referencesOf(workspace, integration).flatMap((text) => parseOutputReference(text)?.condition ?? []);
  } catch {
    return [];
  }
}

/** Returns a value as JSON, empty for undefined; undefined when it cannot be serialized. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return undefined;
  }
}

/** Returns what an integration takes from the rest of the workspace, as text: empty when that is nothing. @throws the error of its `reads` */
function checkedReads(workspace: Workspace, integration: Integration): string {
  const { reads } = integration;
  if (reads === undefined) return '';
  const read: unknown = calledFor(integration, 'reads', () => integration.reads?.(workspace));
  ignoreRejection(read);
  const text = calledFor(integration, 'reads', () => (read instanceof Promise ? undefined : jsonOf(read)));
  if (text === undefined) throw mistakeFor(integration, `reads must return plain JSON; found ${describeValue(read)}`);
  return text;
}

/** Returns what an integration takes from the rest of the workspace, as text; empty when its `reads` fails. */
export function readsOf(workspace: Workspace, integration: Integration): string {
  try {
    return checkedReads(workspace, integration);
  } catch {
    return '';
  }
}

/** Returns the outputs that an integration uses and what it reads as they are now, for a comparison with later ones; empty when that is nothing. */
export function inputsOf(workspace: Workspace, integration: Integration): string {
  const types = usedBy(workspace, integration);
  const outputs = types.length === 0 ? '' : JSON.stringify(types.map((type) => workspace.status?.outputs?.[type]));
  return outputs + readsOf(workspace, integration);
}

/** Order of integrations on one workspace. */
export interface Order {
  /** Returns the conditions that come before an integration: those in `after`, and those whose outputs it uses unless that would be a cycle. */
  before(integration: Integration): readonly string[];
  /** Returns the cycle that an integration is in by the outputs that it or another one uses, its condition first and last. */
  cycleOf(integration: Integration): readonly string[] | undefined;
}

/** Computes the order of integrations on one workspace. Pure. */
export function orderOf(workspace: Workspace, integrations: readonly Integration[]): Order {
  const used = new Map(integrations.map((integration) => [integration, usedBy(workspace, integration)]));
  const all = ({ condition, after = [] }: Integration, uses: readonly string[]) => ({
    condition,
    before: [...after, ...uses],
  });
  const edges = Map.groupBy(
    [...used].map(([integration, uses]) => all(integration, uses)),
    ({ condition }) => condition,
  );
  const edgesOf = (type: string) => edges.get(type)?.flatMap(({ before }) => before) ?? [];
  const cycleOf = ({ condition }: Integration) => cycleThrough(condition, edgesOf);
  return {
    cycleOf,
    before: (integration) => {
      const { after = [] } = integration;
      const uses = used.get(integration) ?? [];
      return uses.length === 0 || cycleOf(integration) !== undefined ? after : [...new Set([...after, ...uses])];
    },
  };
}

/** Outputs and settings that an integration needs. */
export type Readiness =
  /** All are there. */
  | { readonly kind: 'ready' }
  /** Their conditions are not settled yet. */
  | { readonly kind: 'waits' }
  /** Some cannot be used, or are not there yet: the condition says why. */
  | {
      readonly kind: 'blocked';
      readonly status: 'Error' | 'Waiting';
      readonly reason: string;
      /** Fields of the workspace that are wrong, where they are known. */
      readonly fields?: readonly WrongField[];
    };

const listed = (names: readonly string[], none: string): string =>
  names.length === 0 ? none : `known are ${[...new Set(names)].slice(0, 32).join(', ')}`;

/** Longest reference in a message, in characters. */
const longestShown = 140;

/** Explains why an output can never be there; undefined when it can. @throws the error of `each` of its declaration */
function reasonWhyNever(
  text: string,
  reference: ReturnType<typeof parseOutputReference>,
  { integrations, concerned, workspace }: Omit<ReadinessInput, 'order'> & { readonly workspace: Workspace },
): string | undefined {
  if (reference === undefined) return `${text.slice(0, longestShown)} must read \${outputs::CONDITION.NAME}`;
  const { condition, output } = reference;
  const ofType = (all: readonly Integration[]) => all.filter((one) => one.condition === condition);
  const withOutputs = integrations.filter(({ outputs = {} }) => Object.keys(outputs).length > 0);
  if (ofType(integrations).length === 0)
    return `${text}: no integration is registered for condition ${condition}; ${listed(
      withOutputs.map((one) => one.condition),
      'none of those registered has outputs',
    )}`;
  const mine = ofType(concerned);
  if (mine.length === 0) return `${text}: this workspace asks for no ${condition}`;
  const reasons = mine.map(({ outputs = {} }) => reasonWhyUndeclared(output, outputs, workspace));
  return reasons.includes(undefined) ? undefined : `${text}: integration "${mine[0]?.name}" ${reasons[0]}`;
}

/** Input of {@link readinessOf}. */
export interface ReadinessInput {
  readonly integrations: readonly Integration[];
  /** Those that the workspace requests. */
  readonly concerned: readonly Integration[];
  readonly order: Order;
}

const blockedBy = (reason: string, fields: readonly WrongField[] = []): Readiness => ({
  ...{ kind: 'blocked', status: 'Error', reason },
  ...(fields.length > 0 && { fields }),
});

/** Explains why the first impossible reference can never be resolved; undefined when all can. @throws the error of `each` of its declaration */
const firstWrong = (
  references: readonly string[],
  input: Omit<ReadinessInput, 'order'> & { readonly workspace: Workspace },
): string | undefined =>
  references.map((text) => reasonWhyNever(text, parseOutputReference(text), input)).find((why) => why !== undefined);

/** Bytes of JSON that a spec may take: two thirds of what the API server stores of one object. */
export const largestSpec = 2 ** 20;

/**
 * Returns the mistake of a spec that is too large to leave room for the status, which holds the journal; undefined when it is small enough. Pure.
 */
export function oversizeOf({ spec }: Pick<Workspace, 'spec'>): WrongField | undefined {
  const size = Buffer.byteLength(JSON.stringify(spec));
  if (size <= largestSpec) return undefined;
  const message = `spec: takes ${size} bytes of JSON, and ${largestSpec} at most leave room for the status, of the 1.5 MiB that the API server stores: make it smaller, such as by texts in ConfigMaps`;
  return { field: 'spec', message };
}

/** Decides whether the outputs that an integration uses are there, whether its `references` and `reads` work, and whether the workspace is valid for it. Pure. */
export function readinessOf(workspace: Workspace, integration: Integration, input: ReadinessInput): Readiness {
  const oversize = oversizeOf(workspace);
  if (oversize !== undefined) return blockedBy(oversize.message, [oversize]);
  let references: readonly string[];
  let fields: readonly WrongField[];
  let wrong: string | undefined;
  try {
    references = referencesOf(workspace, integration);
    wrong = firstWrong(references, { ...input, workspace });
    checkedReads(workspace, integration);
    checkUniqueNames(integration, workspace);
    fields = isInForce(workspace, integration.condition) ? [] : validated(integration, workspace);
  } catch (error) {
    return blockedBy(messageOf(error));
  }
  if (wrong !== undefined) return blockedBy(wrong);
  const cycle = references.length === 0 ? undefined : input.order.cycleOf(integration);
  if (cycle !== undefined) {
    return blockedBy(`conditions wait for each other’s outputs in a circle: ${cycle.join(' after ')}`);
  }
  if (fields.length > 0) return blockedBy(fields.map(({ message }) => message).join('; '), fields);
  const missing = references.find((text) => outputOf(workspace, text) === undefined);
  if (missing !== undefined) return { kind: 'blocked', status: 'Waiting', reason: `waits for ${missing}` };
  const reading = readSettings(settingsReaderOf(integration), workspace);
  if ('mistake' in reading) return blockedBy(reading.mistake, reading.fields);
  const arrived = references.every((text) => isInForce(workspace, parseOutputReference(text)?.condition ?? ''));
  return { kind: arrived ? 'ready' : 'waits' };
}
