/** The commonest mistakes of a plug-in's author, each as one change of a plug-in without a flaw. */

/** Mistake, with what the compiler says about it. */
export interface Mistake {
  readonly title: string;
  readonly from: string;
  readonly to: string;
  /** The first error has to name this. */
  readonly told: RegExp;
}

/** A plug-in without a flaw. */
export const plugIn = `import { ConfigMap, defineIntegration, externalResource } from 'workspace-sequencer/sdk';
import * as z from 'zod';

interface Wanted { readonly host: string; readonly size: number }
interface Id { readonly id: string }
declare const api: {
  create(wanted: Wanted, tag: string, signal: AbortSignal): Promise<string>;
  find(tag: string): Promise<string | undefined>;
  get(id: string): Promise<Wanted | undefined>;
  put(id: string, wanted: Wanted): Promise<void>;
  drop(id: string): Promise<void>;
};

export const box = externalResource<Wanted, Id>({
  label: 'box',
  identity: 'tag',
  async find({ mark }) {
    const id = await api.find(mark);
    return id === undefined ? undefined : { id };
  },
  async create(wanted, { owner, signal }) {
    return { id: { id: await api.create(wanted, owner.mark, signal) } };
  },
  async observe({ id }) {
    const seen = await api.get(id);
    return seen && { state: seen };
  },
  update: ({ id }, wanted) => api.put(id, wanted),
  delete: ({ id }) => api.drop(id),
  driftInterval: 60_000,
});

export const acme = defineIntegration({
  name: 'acme',
  condition: 'Acme',
  after: ['DNS'],
  settings: z.strictObject({ size: z.int().default(1) }),
  owns: [ConfigMap],
  secrets: ['token-1'],
  handles: ({ spec }) => spec.integrations?.acme !== undefined,
  connect: ({ workspace, controller }) => ({
    async reconcile({ size }) {
      await controller.guard('greeting', async ({ key, checkpoint }) => {
        await checkpoint({ key });
        return { status: 'Completed', reason: 'greeted', refs: [{ key }] };
      }, { op: 'create', identity: 'key' });
      await controller.updateCondition('In Progress', 'looking');
      return controller.ensure(box, { host: workspace.status?.host ?? '', size });
    },
    terminate: () => controller.destroy(box),
  }),
});
`;

/** The mistakes. */
export const mistakes: readonly Mistake[] = [
  {
    title: 'a member of an integration is misspelt',
    from: "after: ['DNS']",
    to: "afer: ['DNS']",
    told: /'afer'|'after'/,
  },
  {
    title: 'a member of a resource is misspelt',
    from: 'observe({ id })',
    to: 'observ({ id })',
    told: /'observ'|'observe'/,
  },
  { title: 'an identity that there is not', from: "identity: 'tag'", to: "identity: 'uid'", told: /"uid"/ },
  {
    title: 'an identity tag without find',
    from: 'async find({ mark }) {\n    const id = await api.find(mark);\n    return id === undefined ? undefined : { id };\n  },',
    to: '',
    told: /find/,
  },
  { title: 'an identity key without validForMs', from: "identity: 'tag'", to: "identity: 'key'", told: /validForMs/ },
  {
    title: 'a status that there is not, of updateCondition',
    from: "'In Progress'",
    to: "'Running'",
    told: /"Running"/,
  },
  { title: 'an outcome without a reason', from: "reason: 'greeted', ", to: '', told: /reason/ },
  {
    title: 'a task that returns nothing',
    from: "return { status: 'Completed', reason: 'greeted', refs: [{ key }] };",
    to: '',
    told: /void/,
  },
  {
    title: 'a task that is not async',
    from: 'async ({ key, checkpoint }) => {\n        await checkpoint({ key });',
    to: '({ key }) => {',
    told: /Promise/,
  },
  {
    title: 'a member of the context that there is not',
    from: '{ key, checkpoint }',
    to: '{ id: key, checkpoint }',
    told: /'id'/,
  },
  {
    title: 'delete answers a boolean',
    from: 'delete: ({ id }) => api.drop(id)',
    to: 'delete: async ({ id }) => (await api.drop(id), true)',
    told: /boolean|true/,
  },
  {
    title: 'handles is async',
    from: 'handles: ({ spec }) => spec',
    to: 'handles: async ({ spec }) => spec',
    told: /Promise<boolean>/,
  },
  {
    title: 'handles answers the settings',
    from: 'spec.integrations?.acme !== undefined',
    to: 'spec.integrations?.acme',
    told: /boolean/,
  },
  { title: 'terminate is missing', from: 'terminate: () => controller.destroy(box),', to: '', told: /terminate/ },
  {
    title: 'wanted has a member of a wrong type',
    from: "host: workspace.status?.host ?? '', size }",
    to: "host: workspace.status?.host ?? '', size: '1' }",
    told: /string/,
  },
  { title: 'wanted lacks a member', from: ', size }', to: ' }', told: /size/ },
  {
    title: 'a setting that the schema does not have',
    from: 'reconcile({ size })',
    to: 'reconcile({ sise: size })',
    told: /'sise'/,
  },
  { title: 'a setting of another type', from: 'z.int().default(1)', to: 'z.string()', told: /string/ },
  {
    title: 'settings that are not a schema',
    from: 'z.strictObject({ size: z.int().default(1) })',
    to: "{ size: 'int' }",
    told: /size/,
  },
  {
    title: 'the host may be undefined',
    from: "workspace.status?.host ?? ''",
    to: 'workspace.status?.host',
    told: /undefined/,
  },
  {
    title: 'the name of a kind instead of the kind',
    from: 'owns: [ConfigMap]',
    to: "owns: ['ConfigMap']",
    told: /string/,
  },
  {
    title: 'the workspace is changed in place',
    from: "await controller.updateCondition('In Progress', 'looking');",
    to: "workspace.status!.host = 'a';",
    told: /read-only/,
  },
  {
    title: 'a policy that there is not',
    from: "secrets: ['token-1'],",
    to: "secrets: ['token-1'],\n  policy: 'observe',",
    told: /"observe"/,
  },
  {
    title: 'a status that there is not',
    from: "status: 'Completed'",
    to: "status: 'Done'",
    told: /"Done".*status: ConditionStatus/s,
  },
  { title: 'refs that are texts', from: 'refs: [{ key }]', to: 'refs: [key]', told: /string\[\].*refs\?: Ref\[\]/s },
  {
    title: 'create answers the id alone',
    from: '{ id: { id: await api.create(wanted, owner.mark, signal) } }',
    to: '{ id: await api.create(wanted, owner.mark, signal) }',
    told: /id: string.*id: Id/s,
  },
  {
    title: 'find answers the text of an id',
    from: 'return id === undefined ? undefined : { id };',
    to: 'return id;',
    told: /string \| undefined.*Id \| undefined/s,
  },
  {
    title: 'find answers null for nothing',
    from: '? undefined : { id }',
    to: '? null : { id }',
    told: /null/,
  },
  {
    title: 'observe answers the state without its member',
    from: '{ state: seen }',
    to: 'seen',
    told: /Wanted \| undefined.*state: Partial<Wanted>/s,
  },
  {
    title: 'a promise that is not awaited in a task',
    from: "reason: 'greeted'",
    to: 'reason: api.find(key)',
    told: /Promise/,
  },
  { title: 'an id that is not awaited', from: 'id: await api.create', to: 'id: api.create', told: /Promise/ },
];
