/** Decides whether the outputs and settings that an integration needs are there, and finds what blocks it. */

import {
  checkUniqueNamesResult,
  parseOutputReference,
  readSettings,
  reasonWhyUndeclared,
  type WrongField,
  wrongFieldsIn,
} from '../../../sdk/host/index.ts';
import { type Integration, messageOf, outputOf, type Workspace } from '../../../sdk/index.ts';
import { settingsReaderOf } from '../../tenants/configured-integration.ts';
import { checkedReads, referencesOf } from './declared-inputs.ts';
import type { Order } from './order.ts';
import { isCompletedForSpec } from './requested-integrations.ts';

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
const maxShownLength = 140;

/** Explains why an output can never be there; undefined when it can. @throws the error of `each` of its declaration */
function reasonWhyNever(
  text: string,
  reference: ReturnType<typeof parseOutputReference>,
  { integrations, candidates, workspace }: Omit<ReadinessInput, 'order'> & { readonly workspace: Workspace },
): string | undefined {
  if (reference === undefined) return `${text.slice(0, maxShownLength)} must read \${outputs::CONDITION.NAME}`;
  const { condition, output } = reference;
  const ofType = (all: readonly Integration[]) => all.filter((one) => one.condition === condition);
  const withOutputs = integrations.filter(({ outputs = {} }) => Object.keys(outputs).length > 0);
  if (ofType(integrations).length === 0)
    return `${text}: no integration is registered for condition ${condition}; ${listed(
      withOutputs.map((one) => one.condition),
      'none of those registered has outputs',
    )}`;
  const mine = ofType(candidates);
  if (mine.length === 0) return `${text}: this workspace asks for no ${condition}`;
  const reasons = mine.map(({ outputs = {} }) => reasonWhyUndeclared(output, outputs, workspace));
  return reasons.includes(undefined) ? undefined : `${text}: integration "${mine[0]?.name}" ${reasons[0]}`;
}

/** Input of {@link readinessOf}. */
export interface ReadinessInput {
  readonly integrations: readonly Integration[];
  /** Those that the workspace requests. */
  readonly candidates: readonly Integration[];
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
export const maxSpecBytes = 2 ** 20;

/**
 * Returns the mistake of a spec that is too large to leave room for the status, which holds the journal; undefined when it is small enough. Pure.
 */
export function oversizeOf({ spec }: Pick<Workspace, 'spec'>): WrongField | undefined {
  const size = Buffer.byteLength(JSON.stringify(spec));
  if (size <= maxSpecBytes) return undefined;
  const message = `spec: takes ${size} bytes of JSON, and ${maxSpecBytes} at most leave room for the status, of the 1.5 MiB that the API server stores: make it smaller, such as by texts in ConfigMaps`;
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
    checkUniqueNamesResult(integration, workspace);
    fields = isCompletedForSpec(workspace, integration.condition) ? [] : wrongFieldsIn(integration, workspace);
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
  const arrived = references.every((text) =>
    isCompletedForSpec(workspace, parseOutputReference(text)?.condition ?? ''),
  );
  return { kind: arrived ? 'ready' : 'waits' };
}
