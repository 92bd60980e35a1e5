/** Validation of the query parameters of a pod's log. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { canonicalTime, timeParseMessage } from '../../apimachinery/go/go-time.ts';
import { badRequest, invalid } from '../../apimachinery/status.ts';
import { integerOf } from '../parameters.ts';

/** Reads a parameter that is a 64-bit integer; undefined when it is absent or empty. Throws the server's 400. */
const numberIn = (query: URLSearchParams, name: string): number | undefined =>
  query.get(name) ? integerOf(query, name) : undefined;

/** Smallest values, with the words for them. */
const minimums = { tailLines: [0, 'or equal to 0'], limitBytes: [1, '0'], sinceSeconds: [1, '0'] } as const;

function* tooSmall(field: keyof typeof minimums, value: number | undefined): Generator<FieldError> {
  const [smallest, words] = minimums[field];
  if (value !== undefined && value < smallest)
    yield { type: 'Invalid', field, value, detail: `must be greater than ${words}` };
}

function* faultsOf(query: URLSearchParams): Generator<FieldError> {
  const [tailLines, limitBytes] = [numberIn(query, 'tailLines'), numberIn(query, 'limitBytes')];
  const sinceSeconds = numberIn(query, 'sinceSeconds');
  const sinceTime = query.get('sinceTime') ?? '';
  if (sinceTime !== '' && canonicalTime(sinceTime) === undefined) throw badRequest(timeParseMessage(sinceTime, false));
  yield* tooSmall('tailLines', tailLines);
  yield* tooSmall('limitBytes', limitBytes);
  if (sinceSeconds !== undefined && sinceTime !== '') {
    const detail = 'at most one of `sinceTime` or `sinceSeconds` may be specified';
    yield { type: 'Forbidden', field: '[]', detail };
  } else yield* tooSmall('sinceSeconds', sinceSeconds);
  if (query.get('stream')) yield { type: 'Forbidden', field: 'stream', detail: 'may not be specified' };
}

/** Checks the options of a pod's log. Throws the server's 400 and 422. */
export function checkLogOptions(query: URLSearchParams, pod: string): void {
  if (query.size === 0) return;
  const faults = [...faultsOf(query)];
  if (faults.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, pod, faults);
}
