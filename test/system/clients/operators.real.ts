import { readFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'yaml';
import { createScratch, startProcess } from '../real/owned-process.ts';
import { HopelessError, until } from '../real/until.ts';
import { type Election, type Operator, operators } from './operators.ts';
import { built } from './recipes.ts';
import { control, inMemory, judge, type ServerProgram, type ServerUnderTest } from './servers.ts';

type Judged = ServerProgram & Pick<ServerUnderTest, 'collectsAtOnce' | 'isBreakable'>;

interface Meta {
  readonly uid: string;
  readonly generation: number;
  readonly finalizers?: readonly string[];
  readonly deletionTimestamp?: string;
  readonly ownerReferences?: readonly { readonly uid: string; readonly controller?: boolean }[];
}

/** Fields that are read of Greetings, ConfigMaps and others. */
interface Thing {
  readonly metadata: Meta;
  readonly status?: { readonly said?: string; readonly observedGeneration?: number };
  readonly data?: Readonly<Record<string, string>>;
}

const maps = '/api/v1/namespaces/default/configmaps';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Runs one operator on one server, with functions that inspect it. */
async function scene(t: ExecutionContext, server: ServerProgram, operator: Operator) {
  const { api } = server;
  const scratch = createScratch('operator');
  t.teardown(scratch.remove);
  const start = async (name: string) => {
    const { command, args, env } = operator;
    const setting = { ...env, KUBECONFIG: server.kubeconfigPath };
    const assignments = Object.entries(setting).map(([key, value]) => `${key}=${value}`);
    const process = await startProcess({
      name,
      command: '/usr/bin/env',
      args: [...assignments, command, ...args],
      folder: scratch.folder,
    });
    t.teardown(() => process.kill());
    return process;
  };
  if (operator.definition !== undefined) {
    const body = parse(readFileSync(operator.definition, 'utf8'));
    t.is((await api.ask({ method: 'POST', path: definitions, body })).status, 201);
  }
  const process = await start('operator');
  const eventually = <T>(what: string, holds: () => Promise<T | undefined>): Promise<T> =>
    until(
      async () => {
        if (process.ending !== undefined && process.ending !== 'was ended by SIGKILL')
          throw new HopelessError(`the operator ${process.ending}:\n${process.lastWords()}`);
        return holds();
      },
      { deadline: 40_000, message: (error) => `not within 40 s: ${what} (${error ?? ''})\n${process.lastWords()}` },
    );
  const found = async (path: string): Promise<Thing | undefined> => {
    const { status, body } = await api.ask({ path });
    return status === 200 ? (body as Thing) : undefined;
  };
  const gone = async (path: string) => ((await api.ask({ path })).status === 404 ? true : undefined);
  return { process, start, eventually, found, gone };
}

/** Life of a Greeting under an operator: created, reconciled, repaired, changed, deleted. */
async function live(t: ExecutionContext, server: Judged, operator: Operator): Promise<void> {
  const { api, collectsAtOnce, isBreakable } = server;
  const { controlsWhatItOwns = true } = operator;
  const { eventually, found, gone } = await scene(t, server, operator);
  const greetings = `/apis/${operator.group}/v1/namespaces/default/greetings`;
  const owned = `${maps}/a-greeting`;
  await eventually(
    'its definition is served',
    async () => (await api.ask({ path: greetings })).status === 200 || undefined,
  );

  const made = await api.ask({ method: 'POST', path: greetings, body: greeting(operator, { text: 'hello' }) });
  t.is(made.status, 201, JSON.stringify(made.body));
  const said = (text: string, generation: number) => async () => {
    const thing = await found(`${greetings}/a`);
    return thing?.status?.said === text && thing.status.observedGeneration === generation ? thing : undefined;
  };
  const { metadata } = await eventually('the status tells', said('hello', 1));
  t.deepEqual(metadata.finalizers, [`${operator.group}/farewell`]);

  const map = await found(owned);
  t.deepEqual(map?.data, { said: 'hello' });
  t.like(map?.metadata.ownerReferences?.[0], { uid: metadata.uid, ...(controlsWhatItOwns && { controller: true }) });
  const events = `/api/v1/namespaces/default/events?fieldSelector=involvedObject.uid=${metadata.uid},reason=Greeted`;
  await eventually(
    'an event tells',
    async () => ((await api.ask({ path: events })).body as { items: unknown[] }).items[0],
  );

  await api.ask({ method: 'DELETE', path: owned });
  await eventually('what it owns is there again', async () => {
    const again = await found(owned);
    return again !== undefined && again.metadata.uid !== map?.metadata.uid ? again : undefined;
  });

  const edited = async (copies: number) => {
    const words = Array.from({ length: copies }, () => 'hello').join(' ');
    t.is((await api.ask({ method: 'PATCH', path: `${greetings}/a`, body: { spec: { copies } } })).status, 200);
    await eventually(`${copies} copies are seen`, said(words, copies));
    await eventually('and carried out', async () => (await found(owned))?.data?.said === words || undefined);
  };
  await edited(2);
  if (isBreakable) {
    await control(server, 'faults', 'add', 'watches * drop after 1 event, 2 times');
    await edited(3);
    await control(server, 'faults', 'clear');
    await control(server, 'faults', 'add', 'watches * expire after 1 event, 2 times');
    await edited(4);
    await control(server, 'compact');
    await edited(5);
  }

  const { status } = await api.ask({ method: 'DELETE', path: `${greetings}/a` });
  t.is(status, 200);
  await eventually('it goes', () => gone(`${greetings}/a`));
  t.truthy(await found(`${maps}/a-farewell`), 'the finalizer ran before');
  if (collectsAtOnce) await eventually('what it owned goes with it', () => gone(owned));
}

const greeting = ({ group }: Operator, spec: object) => ({
  apiVersion: `${group}/v1`,
  kind: 'Greeting',
  metadata: { name: 'a', namespace: 'default' },
  spec,
});

const holderOf = (body: unknown): string => (body as { spec: { holderIdentity: string } }).spec.holderIdentity;

type Elector = Operator & { readonly election: Election };

/** Checks that a second manager waits for the lease and takes over when the first is killed. */
async function succeed(t: ExecutionContext, server: ServerProgram, operator: Elector): Promise<void> {
  const { api } = server;
  const { waits, works } = operator.election;
  const lease = `/apis/coordination.k8s.io/v1/namespaces/default/leases/${operator.election.lease}`;
  const { process, start, eventually, found } = await scene(t, server, operator);
  const greetings = `/apis/${operator.group}/v1/namespaces/default/greetings`;
  const first = holderOf(
    await eventually('a leader', async () => {
      const { status, body } = await api.ask({ path: lease });
      return status === 200 ? body : undefined;
    }),
  );
  const second = await start('second');
  await eventually('the second waits', async () => waits.test(second.lastWords()) || undefined);
  t.notRegex(second.lastWords(), works);
  await process.kill();
  await eventually('the second leads', async () => {
    const { body } = await api.ask({ path: lease });
    return holderOf(body) !== first && works.test(second.lastWords()) ? true : undefined;
  });
  await api.ask({ method: 'POST', path: greetings, body: greeting(operator, { text: 'hello' }) });
  await eventually('the second works', async () => (await found(`${greetings}/a`))?.status?.said);
}

/** Declares the tests of one operator on one server. */
function declare(server: ServerUnderTest, operator: Operator): void {
  const title = `${server.name}: ${operator.name} lives through definition, status, event, owned object, finalizer`;
  (built(operator.recipe) === undefined ? test.skip : test.serial)(title, async (t) => {
    const program = await server.start();
    t.teardown(() => program.close());
    const { collectsAtOnce, isBreakable } = server;
    await live(t, { ...program, collectsAtOnce, isBreakable }, operator);
  });
}

for (const operator of operators) declare(inMemory, operator);
if (judge !== undefined)
  for (const operator of operators.filter(({ isVariant }) => !isVariant)) declare(judge, operator);

const electors = operators.filter((one): one is Elector => one.election !== undefined && !one.isVariant);
for (const operator of electors)
  (built(operator.recipe) === undefined ? test.skip : test.serial)(
    `${operator.name} takes over from one that was killed`,
    async (t) => {
      const server = await inMemory.start();
      t.teardown(() => server.close());
      await succeed(t, server, operator);
    },
  );
