import test from 'ava';
import { redact } from '../../../../sdk/redact.ts';
import { SecretRegistry } from '../../../../sdk/secret-registry.ts';
import { type ExporterOptions, OtlpExporter } from '../../../../sdk/tracing/otlp-exporter.ts';
import type { EndedSpan } from '../../../../sdk/tracing/otlp-json.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { startCollector } from './collector.ts';

const aSpan = (name: string): EndedSpan => ({
  ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name, kind: 0, start: 1, end: 2 },
  ...{ attributes: {}, status: { code: 0 } },
});

function lines() {
  const said: string[] = [];
  const level = (about: object, text: string) => void said.push(`${text} ${JSON.stringify(about)}`);
  return { said, logger: { warn: level, info: level } as unknown as NonNullable<ExporterOptions['logger']> };
}

test('spans go out together after five seconds, with headers and without secrets', async (t) => {
  await using collector = await startCollector();
  const clock = createManualClock();
  const redact = (text: string) => text.replaceAll('hunter2', '***');
  const exporter = new OtlpExporter({ url: `${collector.url}/`, headers: { 'x-key': 'k' }, clock, redact });
  exporter.add(aSpan('one'));
  exporter.add(aSpan('two with hunter2'));
  await clock.advance(4_999);
  t.deepEqual(collector.requests, []);
  const next = collector.next();
  await clock.advance(1);
  await next;
  t.deepEqual(
    collector.requests.map(({ problem }) => problem),
    [undefined],
  );
  t.like(collector.requests[0]?.headers, { 'x-key': 'k', 'content-type': 'application/json' });
  t.deepEqual(
    collector.spans.map(({ name }) => name),
    ['one', 'two with ***'],
  );
  await exporter.close();
  t.is(exporter.dropped, 0);
});

test('redaction keeps the JSON of a batch whole, whatever its texts end with', async (t) => {
  await using collector = await startCollector();
  const exporter = new OtlpExporter({ url: collector.url, clock: createManualClock(), redact });
  exporter.add({ ...aSpan('refused'), status: { code: 2, message: 'it sent no authorization:' } });
  await exporter.close();
  t.deepEqual([exporter.dropped, collector.spans[0]?.status.message], [0, 'it sent no authorization:']);
});

test('a secret at the end of a text that is cut is not sent in part', async (t) => {
  await using collector = await startCollector();
  const secrets = new SecretRegistry();
  secrets.add('correct-horse-battery');
  const exporter = new OtlpExporter({
    url: collector.url,
    clock: createManualClock(),
    redact: (text) => secrets.redact(text),
  });
  const message = `${'x'.repeat(1010)} correct-horse-battery`;
  exporter.add({ ...aSpan('long'), status: { code: 2, message } });
  await exporter.close();
  t.is(collector.spans[0]?.status.message, `${'x'.repeat(1010)} ***`);
});

test('512 spans do not wait', async (t) => {
  await using collector = await startCollector();
  const exporter = new OtlpExporter({ url: collector.url, clock: createManualClock() });
  const next = collector.next();
  for (let at = 0; at < 512; at += 1) exporter.add(aSpan(`${at}`));
  await next;
  t.is(collector.spans.length, 512);
  await exporter.close();
});

test('a collector that is away for a while loses nothing; that is reported once, and its end', async (t) => {
  let status = 503;
  await using collector = await startCollector(() => status);
  const clock = createManualClock();
  const { said, logger } = lines();
  const exporter = new OtlpExporter({ url: collector.url, clock, logger });
  exporter.add(aSpan('kept'));
  for (const ms of [5_000, 5_000, 10_000]) {
    const next = collector.next();
    await clock.advance(ms);
    await next;
    await clock.advance(0);
  }
  status = 200;
  const next = collector.next();
  await clock.advance(20_000);
  await next;
  await exporter.close();
  t.deepEqual(
    collector.spans.map(({ name }) => name),
    ['kept'],
  );
  t.is(exporter.dropped, 0);
  t.regex(said[0] ?? '', /^the collector takes no spans .*it answers 503/);
  t.regex(said[1] ?? '', /^the collector takes spans again/);
  t.is(said.length, 2);
});

test('what is refused, or more than 4096 that wait, is dropped and counted', async (t) => {
  await using collector = await startCollector(() => 403);
  const { said, logger } = lines();
  const refused = new OtlpExporter({ url: collector.url, clock: createManualClock(), logger });
  refused.add(aSpan('refused'));
  await refused.close();
  t.is(refused.dropped, 1);
  t.deepEqual(said.length, 1);

  const fetch = () => Promise.reject(new TypeError('fetch failed'));
  const away = new OtlpExporter({ url: collector.url, clock: createManualClock(), fetch });
  for (let at = 0; at < 6_000; at += 1) away.add(aSpan(`${at}`));
  await away.close();
  t.is(away.dropped, 6_000);
});

test('a collector that never answers keeps an end waiting for five seconds', async (t) => {
  const clock = createManualClock();
  const fetch: typeof globalThis.fetch = (_, init) =>
    new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
  const exporter = new OtlpExporter({ url: 'http://collector.example', clock, fetch });
  exporter.add(aSpan('lost'));
  const closed = exporter.close();
  await clock.advance(5_000);
  await closed;
  t.is(exporter.dropped, 1);
});
