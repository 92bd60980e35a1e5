import test from 'ava';
import { createMemoryStore, memoryName } from '../../../../integrations/memory/store.ts';
import { DefiniteError, ExternalAlreadyExistsError } from '../../../../sdk/index.ts';

const [mine, yours] = ['my/mark', 'your/mark'];
const call = { signal: new AbortController().signal };

test('a name is taken once, and its owner alone changes and deletes it', async (t) => {
  const store = createMemoryStore<{ readonly size: number }>();
  const thing = { name: 'a', mark: mine, state: { size: 1 } };
  await store.create(thing, call);
  await t.throwsAsync(store.create({ ...thing, mark: yours }, call), { instanceOf: ExternalAlreadyExistsError });
  await t.throwsAsync(store.update({ ...thing, mark: yours }, call), {
    instanceOf: DefiniteError,
    message: /belongs to my/,
  });
  await t.throwsAsync(store.delete({ name: 'a', mark: yours }, call), { instanceOf: DefiniteError });
  await store.update({ ...thing, state: { size: 2 } }, call);
  t.deepEqual([await store.read('a', call), await store.find(mine, call)], [store.objects()[0], store.objects()[0]]);
  t.like(await store.read('a', call), { state: { size: 2 } });
  await store.delete(thing, call);
  await store.delete(thing, call);
  t.deepEqual(store.objects(), []);
});

test('a thing is given from a former mark to the present one, as often as it is asked; what is not there is refused', async (t) => {
  const store = createMemoryStore<object>();
  await store.create({ name: 'a', mark: mine, state: {} }, call);
  await t.throwsAsync(store.replaceMark('a', { mark: yours, former: [] }, call), { instanceOf: DefiniteError });
  await store.replaceMark('a', { mark: yours, former: [mine] }, call);
  await store.replaceMark('a', { mark: yours, former: [mine] }, call);
  t.like(store.objects(), [{ mark: yours }]);
  await t.throwsAsync(store.replaceMark('b', { mark: yours, former: [] }, call), { instanceOf: DefiniteError });
});

test('a name comes from the mark alone', (t) => {
  const owner = { uid: 'u', namespace: 'n', workspace: 'w', condition: 'C', slot: '', mark: mine };
  t.regex(memoryName('ws-', owner), /^ws-[0-9a-f]{12}$/);
  t.is(memoryName('ws-', owner), memoryName('ws-', { ...owner, workspace: 'other' }));
  t.not(memoryName('ws-', owner), memoryName('ws-', { ...owner, mark: yours }));
});
