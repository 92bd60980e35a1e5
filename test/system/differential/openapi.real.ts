import test from 'ava';
import { type Fields, isFields } from '../../cluster/apimachinery/object.ts';
import { ask } from './runner/ask.ts';
import { type Started, startInProcess, startTheirs } from './runner/servers.ts';

/** Returns a document without its texts, which are recorded in `texts` by path. */
function withoutTexts(value: unknown, at: string, texts: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withoutTexts(item, `${at}[${index}]`, texts));
  if (!isFields(value)) return value;
  const kept = Object.entries(value).filter(([name, member]) => {
    if (name !== 'description' || typeof member !== 'string') return true;
    texts.set(at, member);
    return false;
  });
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutTexts(member, `${at}.${name}`, texts)]));
}

test('OpenAPI documents are those of kube-apiserver but for some of their texts', async (t) => {
  const [here, real] = await Promise.all([startInProcess({}), startTheirs({})]);
  t.teardown(() => Promise.all([here.close(), real.close()]));
  const reading =
    ({ peer }: Started) =>
    async (path: string): Promise<Fields> =>
      (await ask(peer, { path }, { ns: '', answers: [] })).body as Fields;
  const [ours, theirs] = [reading(here), reading(real)];

  const { paths } = (await theirs('/openapi/v3')) as { paths: Record<string, unknown> };
  t.deepEqual(Object.keys((await ours('/openapi/v3')).paths as object), Object.keys(paths));
  const [ourTexts, theirTexts] = [new Map<string, string>(), new Map<string, string>()];
  for (const path of ['/openapi/v2', ...Object.keys(paths).map((root) => `/openapi/v3/${root}`)]) {
    const [one, other] = await Promise.all([ours(path), theirs(path)]);
    t.deepEqual(withoutTexts(one, path, ourTexts), withoutTexts(other, path, theirTexts), path);
  }
  t.deepEqual([...ourTexts.keys()].sort(), [...theirTexts.keys()].sort());
  const equal = [...theirTexts].filter(([at, text]) => ourTexts.get(at) === text);
  t.true(equal.length / theirTexts.size > 0.85, `${equal.length} of ${theirTexts.size}`);
});
