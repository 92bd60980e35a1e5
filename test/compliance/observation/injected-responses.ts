/** Unexpected responses of HTTP services and of proxies in front of them. */

import { isJsonObject } from '../../../sdk/index.ts';

/** Response in place of the service's own. */
export interface InjectedResponse {
  /** Text for a report, after "was answered by". */
  readonly description: string;
  /** True when the request is carried out. */
  readonly isCarriedOut: boolean;
  /** Returns the response. @param own response of the service, where the request is carried out */
  respond(own: Response | undefined, signal: AbortSignal | undefined): Response | Promise<Response>;
}

const page = '<!doctype html><html><head><title>Bad gateway</title></head><body><h1>Try again later</h1></body></html>';
const html = { headers: { 'content-type': 'text/html' } };

/** Returns the response with the first half of its body. */
async function halfOf(own: Response | undefined): Promise<Response> {
  const bytes = Buffer.from((await own?.clone().arrayBuffer()) ?? new ArrayBuffer());
  const { status = 200, headers } = own ?? {};
  return bytes.length === 0
    ? new Response(null, { status })
    : new Response(bytes.subarray(0, Math.floor(bytes.length / 2)), { status, ...(headers && { headers }) });
}

const refusal = (status: number, isCarriedOut = false): InjectedResponse => ({
  description: `HTTP ${status}`,
  isCarriedOut,
  respond: () => Response.json({ error: { message: `HTTP ${status}` } }, { status }),
});

const redirect: InjectedResponse = {
  description: 'a redirect to a page for signing in (302)',
  isCarriedOut: false,
  respond: () => new Response(null, { status: 302, headers: { location: 'https://login.example/' } }),
};

const unreadable = (isCarriedOut: boolean): readonly InjectedResponse[] => [
  {
    description: 'a page of HTML with status 200, as of a proxy',
    isCarriedOut,
    respond: () => new Response(page, html),
  },
  { description: 'an empty body (204)', isCarriedOut, respond: () => new Response(null, { status: 204 }) },
  { description: 'half of a body', isCarriedOut: true, respond: halfOf },
];

/** Responses to requests that read. */
export const responsesToReads: readonly InjectedResponse[] = [
  ...unreadable(false),
  {
    description: 'an error in a body with status 200',
    isCarriedOut: false,
    respond: () => Response.json({ error: { code: 500, message: 'internal error' } }),
  },
  redirect,
  refusal(401),
];

/** Responses to requests that change something. */
export const responsesToChanges: readonly InjectedResponse[] = [
  ...unreadable(true),
  redirect,
  refusal(401),
  refusal(409),
  refusal(423),
  refusal(408, true),
];

/** Response to a request with a wrong path, such as of an unknown tenant; of a deletion it means success. */
export const notFoundResponse: InjectedResponse = refusal(404);

/** Returns the longest list in the body of a page: the body itself, or a member; undefined when there is none. */
export function itemsIn(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (!isJsonObject(body)) return undefined;
  const lists = Object.values(body).map(itemsIn);
  return lists.reduce((one, other) => ((other?.length ?? -1) > (one?.length ?? -1) ? other : one), undefined);
}

/** Returns the body with the first half of the given list in its place. */
const withHalf = (body: unknown, items: readonly unknown[]): unknown => {
  if (body === items) return items.slice(0, Math.floor(items.length / 2));
  return isJsonObject(body)
    ? Object.fromEntries(Object.entries(body).map(([name, part]) => [name, withHalf(part, items)]))
    : body;
};

/** Page with the first half of its items, which names the next page all the same. */
export const halfOfItems: InjectedResponse = {
  description: 'a page with half as many items as others, which names the next page',
  isCarriedOut: true,
  async respond(own = new Response(null, { status: 204 })) {
    const body: unknown = await own
      .clone()
      .json()
      .catch(() => undefined);
    const items = itemsIn(body);
    return items === undefined
      ? own
      : Response.json(withHalf(body, items), { status: own.status, headers: linkOf(own) });
  },
};

const linkOf = ({ headers }: Response): Record<string, string> => {
  const link = headers.get('link');
  return link === null ? {} : { link };
};

/** Number of pages after which a call gets no response until its signal aborts. */
const maxPages = 60;

/** Returns a response that repeats the first page for each request, so that the list never ends. */
export function repeatFirstPage(): InjectedResponse {
  let first: Response | undefined;
  let pages = 0;
  return {
    description: 'the first page again, and again',
    isCarriedOut: true,
    respond(own, signal) {
      first ??= own?.clone();
      pages += 1;
      if (pages > maxPages)
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      return first?.clone() ?? new Response(null, { status: 204 });
    },
  };
}
