import test, { type ExecutionContext } from 'ava';
import { Agent, request } from 'undici';
import type { ObservedReview } from '../../../../sdk/operator/engine/observer.ts';
import type { CertificateUse } from '../../../../sdk/webhooks/certificates/certificate-source.ts';
import { makeCertificates } from '../../../../sdk/webhooks/certificates/make-certificates.ts';
import { defaulter, validator, type Webhook } from '../../../../sdk/webhooks/declarations.ts';
import { createWebhooks, type WebhooksOptions } from '../../../../sdk/webhooks/webhooks.ts';
import { aReview, aSite, Site } from './a-site.ts';
import { making } from './certificates/a-held.ts';

const service = { namespace: 'default', name: 'sites' };
const path = '/validate/sites.example.com';

/** Starts a server with a certificate for 127.0.0.1, and returns what it takes to ask it. */
async function serving(t: ExecutionContext, webhooks: readonly Webhook[], more: Partial<WebhooksOptions> = {}) {
  const make = () => makeCertificates('replace', making(0, { hosts: ['127.0.0.1'], now: Date.now() }));
  const held = await make();
  let use!: CertificateUse;
  const certificates = {
    run: (signal: AbortSignal, given: CertificateUse) => {
      use = given;
      use.onPair(held.pair);
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    },
  };
  const reviews: ObservedReview[] = [];
  const lines: string[] = [];
  const logger = { info() {}, debug() {}, error: (_: object, text: string) => void lines.push(text) };
  const server = createWebhooks({
    ...{ name: 'sites', service, webhooks, certificates, port: 0, host: '127.0.0.1' },
    ...{ logger: logger as never, observer: { reviewed: (review) => void reviews.push(review) } },
    ...more,
  });
  t.deepEqual(server.problems(), ['webhooks: there is no certificate yet']);
  const stop = new AbortController();
  const running = server.run(stop.signal);
  const port = await server.listening;
  const authorities = [held, await make()];
  const agent = new Agent({ connect: { ca: authorities.map(({ authorities: [one] }) => one!.toString()).join('') } });
  t.teardown(async () => {
    stop.abort();
    await agent.destroy();
    await running;
  });
  const ask = async (review: unknown, at = `${path}?timeout=10s`, method: 'POST' | 'GET' = 'POST') => {
    const body = typeof review === 'string' ? review : JSON.stringify(review);
    const answer = await request(`https://127.0.0.1:${port}${at}`, {
      ...{ dispatcher: agent, method },
      ...(method === 'POST' && { body, headers: { 'content-type': 'application/json' } }),
    });
    const text = await answer.body.text();
    return [answer.statusCode, text.startsWith('{') ? JSON.parse(text) : text] as const;
  };
  return { server, ask, stop, running, reviews, lines, swap: () => use.onPair(authorities[1]!.pair), use: () => use };
}

test('reviews are answered at the path of their webhook, and told to the observer', async (t) => {
  const deny = validator(Site, ({ metadata }) => ({ denied: `no ${metadata.name}` }));
  const { ask, reviews, server } = await serving(t, [deny, defaulter(Site, () => undefined)]);
  const [status, review] = await ask(aReview(aSite()));
  t.is(status, 200);
  t.like(review, { kind: 'AdmissionReview', response: { uid: 'r1', allowed: false, status: { message: 'no shop' } } });
  t.like(await ask(aReview(aSite()), '/default/sites.example.com'), [200, { response: { allowed: true } }]);
  t.deepEqual(
    reviews.map(({ webhook, status: code, outcome }) => [webhook, code, outcome]),
    [
      [path, 200, 'denied'],
      ['/default/sites.example.com', 200, 'allowed'],
    ],
  );
  t.deepEqual(server.problems(), []);
});

test('a handler that throws is answered with its name, and its error is in the log alone; the others continue', async (t) => {
  const broken = validator(Site, () => {
    throw new Error('the password is 1234');
  });
  const { ask, lines, reviews } = await serving(t, [broken, defaulter(Site, () => undefined)]);
  t.deepEqual(await ask(aReview(aSite())), [
    500,
    'validate of sites.example.com failed; the log of its server shows the reason\n',
  ]);
  t.like(await ask(aReview(aSite()), '/default/sites.example.com'), [200, { response: { allowed: true } }]);
  t.deepEqual(lines, ['a webhook failed']);
  t.is(reviews[0]!.outcome, 'failed');
});

test('a handler that hangs is given up before the API server gives up, and told so by its signal', async (t) => {
  const given = Promise.withResolvers<AbortSignal>();
  const hangs = validator(Site, (_, { signal }) => {
    given.resolve(signal);
    return new Promise(() => undefined);
  });
  const { ask, reviews, lines } = await serving(t, [hangs]);
  const answer = ask(aReview(aSite()), `${path}?timeout=100ms`);
  t.deepEqual(await answer, [500, 'validate of sites.example.com has not answered within 90 ms\n']);
  t.true((await given.promise).aborted);
  t.is(reviews[0]!.outcome, 'late');
  t.deepEqual(lines, ['a webhook exceeded its deadline']);
});

test('what is not a review of ours is refused', async (t) => {
  const { ask } = await serving(t, [validator(Site, () => undefined)], { maxBody: 4000 });
  const statusOf = async (...args: Parameters<typeof ask>) => (await ask(...args))[0];
  t.is(await statusOf('{'), 400);
  t.is(await statusOf('[]'), 400);
  t.is(await statusOf(aReview(aSite(), { kind: { group: '', version: 'v1', kind: 'Pod' } })), 400);
  t.is(await statusOf(aReview(aSite({ hosts: ['x'.repeat(4000)] }))), 413);
  t.deepEqual(await ask('', '/validate/pods'), [404, `known are ${path}\n`]);
  t.is(await statusOf('', path, 'GET'), 405);
  t.is(await statusOf(aReview(aSite())), 200);
});

test('reviews under way when it is stopped come to their end', async (t) => {
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = validator(Site, async (_, { signal }) => {
    begun.resolve();
    await goOn.promise;
    return { warnings: [`aborted: ${signal.aborted}`] };
  });
  const { ask, stop, running, server } = await serving(t, [slow]);
  const answer = ask(aReview(aSite()));
  await begun.promise;
  stop.abort();
  goOn.resolve();
  t.like(await answer, [200, { response: { allowed: true, warnings: ['aborted: false'] } }]);
  await running;
  t.deepEqual(server.problems(), ['webhooks: stopped']);
});

test('a new pair serves new connections; one that cannot be used leaves the former', async (t) => {
  const { ask, swap, use, lines } = await serving(t, [validator(Site, () => undefined)]);
  t.is((await ask(aReview(aSite())))[0], 200);
  swap();
  use().onPair({ certificate: 'x', key: 'y' });
  t.deepEqual(lines, ['the certificate of the webhooks cannot be used']);
  t.is((await ask(aReview(aSite())))[0], 200);
});

test('a source of certificates that fails or ends by itself ends the server', async (t) => {
  const common = { name: 'sites', service, webhooks: [validator(Site, () => undefined)], port: 0 };
  const { signal } = new AbortController();
  const failing = createWebhooks({ ...common, certificates: { run: () => Promise.reject(new Error('no folder')) } });
  await t.throwsAsync(failing.run(signal), { message: 'no folder' });
  const ending = createWebhooks({ ...common, certificates: { run: async () => undefined } });
  await t.throwsAsync(ending.run(signal), { message: /source of certificates has ended/ });
});
