/** Answers of HTTP services and of proxies before them that say something else than an author expects. */

/** An answer in place of the service's own. */
export interface HttpAnswer {
  /** The answer, in the words of a report: "was answered by …". */
  readonly words: string;
  /** True when the request is carried out all the same. */
  readonly arrives: boolean;
  /** Makes it of the service's own answer, which there is where the request arrives. */
  of(own: Response | undefined, signal: AbortSignal | undefined): Response | Promise<Response>;
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

const refusal = (status: number): HttpAnswer => ({
  words: `HTTP ${status}`,
  arrives: false,
  of: () => Response.json({ error: { message: `HTTP ${status}` } }, { status }),
});

const redirect: HttpAnswer = {
  words: 'a redirect to a page for signing in (302)',
  arrives: false,
  of: () => new Response(null, { status: 302, headers: { location: 'https://login.example/' } }),
};

const unreadable = (arrives: boolean): readonly HttpAnswer[] => [
  { words: 'a page of HTML with status 200, as of a proxy', arrives, of: () => new Response(page, html) },
  { words: 'an empty body (204)', arrives, of: () => new Response(null, { status: 204 }) },
  { words: 'half of a body', arrives: true, of: halfOf },
];

/** Answers to requests that read. */
export const answersToReads: readonly HttpAnswer[] = [
  ...unreadable(false),
  {
    words: 'an error in a body with status 200',
    arrives: false,
    of: () => Response.json({ error: { code: 500, message: 'internal error' } }),
  },
  redirect,
  refusal(401),
];

/** Answers to requests that change something. */
export const answersToChanges: readonly HttpAnswer[] = [
  ...unreadable(true),
  redirect,
  refusal(401),
  refusal(409),
  refusal(423),
];

/** Answer of a service that does not know the place, as where a tenant or an address is wrong: of a deletion it says that nothing is there. */
export const unknownPlace: HttpAnswer = refusal(404);

/** Limit of the pages that are answered before a call waits for its signal. */
const mostPages = 60;

/** Returns an answer that is the first one again, each time: of a list whose pages never end. */
export function firstPageAgain(): HttpAnswer {
  let first: Response | undefined;
  let pages = 0;
  return {
    words: 'the first page again, and again',
    arrives: true,
    of(own, signal) {
      first ??= own?.clone();
      pages += 1;
      if (pages > mostPages)
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      return first?.clone() ?? new Response(null, { status: 204 });
    },
  };
}
