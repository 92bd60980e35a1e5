/** Answers of HTTP services and of proxies before them that say something else than an author expects. */

/** An answer in place of the service's own. */
export interface InjectedResponse {
  /** The answer, in the words of a report: "was answered by …". */
  readonly description: string;
  /** True when the request is carried out all the same. */
  readonly isCarriedOut: boolean;
  /** Makes it of the service's own answer, which there is where the request arrives. */
  respond(own: Response | undefined, signal: AbortSignal | undefined): Response | Promise<Response>;
}

const page = '<!doctype html><html><head><title>Bad gateway</title></head><body><h1>Try again later</h1></body></html>';
const html = { headers: { 'content-type': 'text/html' } };

/** Returns an answer with the first half of its body. */
async function halfOf(own: Response | undefined): Promise<Response> {
  const bytes = Buffer.from((await own?.clone().arrayBuffer()) ?? new ArrayBuffer());
  const { status = 200, headers } = own ?? {};
  return bytes.length === 0
    ? new Response(null, { status })
    : new Response(bytes.subarray(0, Math.floor(bytes.length / 2)), { status, ...(headers && { headers }) });
}

const refusal = (status: number): InjectedResponse => ({
  description: `HTTP ${status}`,
  isCarriedOut: false,
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

/** Answers to requests that read. */
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

/** Answers to requests that change something. */
export const responsesToChanges: readonly InjectedResponse[] = [
  ...unreadable(true),
  redirect,
  refusal(401),
  refusal(409),
  refusal(423),
];

/** Answer of a service that does not know the place, as where a tenant or an address is wrong: of a deletion it says that nothing is there. */
export const notFoundResponse: InjectedResponse = refusal(404);

/** Limit of the pages that are answered before a call waits for its signal. */
const maxPages = 60;

/** Returns an answer that is the first one again, each time: of a list whose pages never end. */
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
