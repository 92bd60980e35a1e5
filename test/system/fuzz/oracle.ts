/** Judges answers to requests that may be invalid. */

/** Answer to a request that may be invalid. */
export interface FuzzAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const plainTexts: ReadonlySet<string> = new Set(['400 Bad Request', '404 page not found\n', 'ok']);

/** Reports whether a text is one of the server's plain answers, such as those to invalid impersonation. */
const isPlain = (text: string): boolean =>
  plainTexts.has(text) || (text.startsWith('Internal Server Error: "/') && !isStack(text));

const isStack = (message: string): boolean =>
  /\n {4}at |TypeError|RangeError|ReferenceError|is not a function/.test(message);

function statusFault({ status, text }: FuzzAnswer): string | undefined {
  let parsed: { readonly kind?: string; readonly code?: number; readonly message?: string };
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    return 'it is not JSON';
  }
  if (parsed.kind !== 'Status') return `its kind is ${parsed.kind}`;
  if (parsed.code !== status) return `its code is ${parsed.code}`;
  return isStack(parsed.message ?? '') ? 'it tells of a defect' : undefined;
}

/** Returns the fault of an answer to any request; undefined for successes, Statuses and the server's plain texts. */
export function faultOf(answer: FuzzAnswer): string | undefined {
  const { status, contentType, text } = answer;
  if (status < 200 || status > 599) return `status ${status}`;
  if (status < 400 || text === '') return undefined;
  if (contentType.startsWith('text/plain') && isPlain(text)) return undefined;
  if (contentType.startsWith('application/yaml')) return isStack(text) ? 'it tells of a defect' : undefined;
  return statusFault(answer);
}
