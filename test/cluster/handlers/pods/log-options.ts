import type { FieldError } from '../../apimachinery/field-error.ts';
import { canonicalTime, timeParseMessage } from '../../apimachinery/go/go-time.ts';
import { badRequest, invalid } from '../../apimachinery/status.ts';

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  if (text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return Number(text);
}

function* faultsOf(query: URLSearchParams): Generator<FieldError> {
  const { tailLines, limitBytes, sinceSeconds } = {
    tailLines: numberIn(query, 'tailLines'),
    limitBytes: numberIn(query, 'limitBytes'),
    sinceSeconds: numberIn(query, 'sinceSeconds'),
  };
  const sinceTime = query.get('sinceTime') ?? '';
  if (sinceTime !== '' && canonicalTime(sinceTime) === undefined) throw badRequest(timeParseMessage(sinceTime, false));
  const tooSmall = (field: string, value: number, least: string): FieldError => ({
    type: 'Invalid',
    field,
    value,
    detail: `must be greater than ${least}`,
  });
  if (tailLines !== undefined && tailLines < 0) yield tooSmall('tailLines', tailLines, 'or equal to 0');
  if (limitBytes !== undefined && limitBytes < 1) yield tooSmall('limitBytes', limitBytes, '0');
  if (sinceSeconds !== undefined && sinceTime !== '') {
    const detail = 'at most one of `sinceTime` or `sinceSeconds` may be specified';
    yield { type: 'Forbidden', field: '[]', detail };
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    yield tooSmall('sinceSeconds', sinceSeconds, '0');
  }
  if (query.get('stream')) yield { type: 'Forbidden', field: 'stream', detail: 'may not be specified' };
}

/** Checks the options of a pod's log. Throws the server's 400 and 422. */
export function checkLogOptions(query: URLSearchParams, pod: string): void {
  if (query.size === 0) return;
  const faults = [...faultsOf(query)];
  if (faults.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, pod, faults);
}
