/** Format of recordings. */

import type { Fields } from '../apimachinery/object.ts';

/** Recorded request, which `test/system/conformance` replays too. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** Headers; null omits a default header, an array sends one header per value. */
  readonly headers: Readonly<Record<string, string | readonly string[] | null>>;
  /** JSON of the body. */
  readonly body?: unknown;
  /** Body that is not JSON. */
  readonly bodyBase64?: string;
}

/** Recorded answer. */
export interface RecordedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
  /** Body that is not JSON. */
  readonly text?: string;
}

/** Line of a recording. */
export type RecordedStep =
  | { readonly kind: 'ClusterRecording'; readonly formatVersion: 1; readonly version: string }
  | { readonly request: RecordedRequest; readonly response: RecordedResponse }
  | { readonly watch: RecordedRequest & { readonly id: string }; readonly response: RecordedResponse }
  | { readonly collect: string; readonly events: readonly unknown[] };

/** Replacement of secrets; valid base64. */
export const redacted = Buffer.from('redacted').toString('base64');

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const blank = (value: unknown): unknown =>
  isFields(value)
    ? Object.fromEntries(Object.keys(value).map((key) => [key, value[key] === null ? null : redacted]))
    : value;

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function withoutLastApplied(metadata: unknown): unknown {
  if (!isFields(metadata) || !isFields(metadata.annotations) || !(lastApplied in metadata.annotations)) return metadata;
  return { ...metadata, annotations: { ...metadata.annotations, [lastApplied]: '{}' } };
}

/** Redacts a Secret or a patch of one. */
function redactedSecret(value: Fields): Fields {
  const { data, stringData, metadata, ...rest } = value;
  return {
    ...rest,
    ...(metadata !== undefined && { metadata: withoutLastApplied(metadata) }),
    ...(data !== undefined && { data: blank(data) }),
    ...(stringData !== undefined && { stringData: blank(stringData) }),
  };
}

const isToken = (value: Fields): boolean => value.kind === 'TokenRequest' || value.kind === 'TokenReview';

/** Reports whether a value is a Secret or a patch of one, by its kind or because it belongs to one. */
const isSecret = (value: Fields, inSecrets: boolean): boolean =>
  value.kind === 'Secret' || (inSecrets && !('items' in value) && value.kind !== 'Status');

/** Redacts the secrets in a JSON value. `inSecrets` is true when it belongs to a Secret, whether or not it states its kind. */
export function withoutSecrets(value: unknown, inSecrets: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, inSecrets));
  if (!isFields(value)) return value;
  if (inSecrets && 'op' in value && 'value' in value) {
    return { ...value, value: isFields(value.value) ? blank(value.value) : redacted };
  }
  const isTokenKind = isToken(value);
  const entries = Object.entries(value).map(([key, member]) => {
    if (isTokenKind && isFields(member) && 'token' in member) return [key, { ...member, token: redacted }];
    return [key, key === 'items' || key === 'object' ? withoutSecrets(member, inSecrets) : member];
  });
  const made = Object.fromEntries(entries) as Fields;
  return isSecret(value, inSecrets) ? redactedSecret(made) : made;
}

/** Parses a recording. Throws a TypeError that names the invalid line. */
export function readRecording(text: string): readonly RecordedStep[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const steps = lines.map((line, index): RecordedStep => {
    try {
      return JSON.parse(line) as RecordedStep;
    } catch (error) {
      throw new TypeError(`line ${index + 1} of the recording is not JSON: ${(error as Error).message}`);
    }
  });
  const [first] = steps;
  if (first === undefined || !('kind' in first) || first.kind !== 'ClusterRecording' || first.formatVersion !== 1) {
    throw new TypeError(
      'this is not a recording of a cluster: its first line is not {"kind":"ClusterRecording","formatVersion":1,…}',
    );
  }
  return steps;
}
